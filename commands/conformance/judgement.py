"""Whether what a status line says agrees with what the client reported."""

import re
from collections.abc import Sequence

import msgspec

from commands.conformance.case import RecordedCase
from commands.conformance.observation import Observation
from shared.gauge.window import percent_text

_TOLERANCE = 1
"""Percentage points, so that a program may round down, up or to the nearest."""
PERCENTAGE = r"(\d+(?:\.\d+)?) ?%"
"""The default pattern; the first match in what is printed counts."""


class Standard(msgspec.Struct, frozen=True):
    pattern: re.Pattern[str]
    """Matches the printed percentage; its first group is the number."""
    is_remaining: bool = False
    """Whether that number is the percentage left, not in use."""
    is_bridge: bool = False
    """Whether the bridge is judged instead of what is printed."""


class RedrawResult(msgspec.Struct, frozen=True):
    accepted: tuple[int | None, ...]
    """Percentages that agree with the client; null for none."""
    used: float | None
    """Percent in use, as the status line states it; null for none."""
    printed: str
    fault: str
    """Empty if it agrees."""


class CaseResult(msgspec.Struct, frozen=True):
    name: str
    client: str
    title: str
    source: str
    redraws: tuple[RedrawResult, ...]
    missing: int
    """Redraws that weren't run, after one that timed out."""

    @property
    def expected(self) -> int:
        return len(self.redraws) + self.missing

    @property
    def right(self) -> int:
        return sum(not redraw.fault for redraw in self.redraws)

    @property
    def faults(self) -> list[str]:
        return [f"redraw {number}: {redraw.fault}" for number, redraw in enumerate(self.redraws, 1) if redraw.fault]


def case_result(case: RecordedCase, observations: Sequence[Observation], standard: Standard) -> CaseResult:
    redraws = tuple(
        RedrawResult(redraw.accepted, _percentage(redraw, standard), redraw.printed, _fault(redraw, standard))
        for redraw in observations
    )
    expected = sum(bool(row.redraw) for row in case.rows)
    return CaseResult(case.name, case.client, case.title, case.source, redraws, expected - len(redraws))


def _percentage(observation: Observation, standard: Standard) -> float | None:
    """Percent in use as the status line gives it; None where it gives none."""
    if standard.is_bridge:
        return 100 - observation.bridge.remaining_percentage if observation.bridge else None
    match = standard.pattern.search(observation.printed)
    if match is None:
        return None
    number = float(match[1])
    return 100 - number if standard.is_remaining else number


def _fault(observation: Observation, standard: Standard) -> str:
    """The fault of a redraw; empty if there is none."""
    if observation.status is None:
        return "times out"
    if observation.status != 0:
        return f"fails with exit code {observation.status}"
    bridge = observation.bridge if standard.is_bridge else None
    if bridge and abs(100 - bridge.remaining_percentage - bridge.used_pct) > _TOLERANCE:
        return "its bridge's used_pct and remaining_percentage contradict each other"
    stated = _percentage(observation, standard)
    if any(_agrees(stated, accepted) for accepted in observation.accepted):
        return ""
    return f"{_text(stated)}, the client: {' or '.join(map(_text, observation.accepted))}"


def _agrees(stated: float | None, accepted: int | None) -> bool:
    if stated is None or accepted is None:
        return stated is None and accepted is None
    return abs(stated - accepted) <= _TOLERANCE


def _text(number: float | None) -> str:
    return "no percentage" if number is None else f"{percent_text(number)}%"
