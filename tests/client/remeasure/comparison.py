"""The differences between two measurements of the client."""

from collections.abc import Iterator, Mapping
from typing import Any

TOLERATED_MS = 150
"""A delay that is no longer changes nothing for the monitor, which waits that long."""


def differences(recorded: Any, measured: Any, name: str = "") -> Iterator[str]:
    """One line for each value that is new, gone or changed. Values that `measured` leaves out aren't compared."""
    if isinstance(recorded, Mapping) and isinstance(measured, Mapping):
        if "longest ms" in measured:
            yield from _delay(recorded, measured, name)
            return
        for key in sorted({*recorded, *measured}):
            yield from differences(recorded.get(key), measured.get(key), f"{name} / {key}" if name else key)
    elif recorded != measured:
        yield f"{name}: {_value(recorded)} -> {_value(measured)}"


def _delay(recorded: Mapping[str, int], measured: Mapping[str, int], name: str) -> Iterator[str]:
    """A line for a delay that the monitor would notice: two runs of a client never agree in milliseconds."""
    if measured["longest ms"] > max(TOLERATED_MS, recorded["longest ms"]):
        yield f"{name}: longest {recorded['longest ms']} ms -> {measured['longest ms']} ms"


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return f"{len(value)} values"
    return "absent" if value is None else str(value)
