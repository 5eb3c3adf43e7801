"""A process's standard input, which may stay open, be empty or be huge (docs/client.md, "Standard input")."""

import os
import sys
import time

import msgspec

IDLE_SECONDS = 2.0
"""Silence after which the input counts as ended."""
PAUSE_SECONDS = 0.05
"""A pause after which a complete document counts as the end, although stdin is still open."""
MOST_BYTES = 32 << 20
"""The largest event. A larger one is read to its end, because the client waits for that, and then refused."""
HEAD_VARIABLE = "_TIDEGAUGE_STDIN_HEAD"
"""The variable with the first bytes, which the launcher had to read to recognise a subagent's event."""


def read(seconds: float) -> bytes:
    """Read stdin to its end, a pause after an object, an idle time, or `seconds`. Raises ValueError if too large."""
    received = bytearray(os.fsencode(os.environ.pop(HEAD_VARIABLE, "")))
    deadline = time.monotonic() + seconds
    if sys.platform == "win32":
        _read_in_thread(received, deadline)
    else:
        _read_ready(received, deadline)
    if len(received) > MOST_BYTES:
        raise ValueError(f"stdin held more than {MOST_BYTES >> 20} MiB")
    return bytes(received)


def _read_ready(received: bytearray, deadline: float) -> None:
    import select  # noqa: PLC0415  doesn't work on Windows' pipes

    silence = time.monotonic() + IDLE_SECONDS
    while time.monotonic() < deadline:
        ended = _may_be_complete(received)
        wait = PAUSE_SECONDS if ended else max(0.0, silence - time.monotonic())
        if select.select([0], [], [], wait)[0]:
            data = os.read(0, 1 << 20)
            if not data:
                break
            _add(received, data)
            silence = time.monotonic() + IDLE_SECONDS
        elif time.monotonic() >= silence or (ended and _is_complete(received)):
            break


def _read_in_thread(received: bytearray, deadline: float) -> None:
    import threading  # noqa: PLC0415  1.5 ms that only Windows pays

    def drain() -> None:
        while data := os.read(0, 1 << 20):
            _add(received, data)

    thread = threading.Thread(target=drain, daemon=True)
    thread.start()
    silence, size = time.monotonic() + IDLE_SECONDS, len(received)
    while thread.is_alive() and time.monotonic() < min(silence, deadline):
        thread.join(PAUSE_SECONDS)
        if len(received) > size:
            silence, size = time.monotonic() + IDLE_SECONDS, len(received)
        elif _may_be_complete(received) and _is_complete(received):
            break


def _add(received: bytearray, data: bytes) -> None:
    """Append `data` up to one byte over MOST_BYTES, which shows that the input is too large."""
    received += data[: MOST_BYTES + 1 - len(received)]


def _may_be_complete(received: bytearray) -> bool:
    """Whether the input ends like a JSON object."""
    return received[-100:].rstrip().endswith(b"}")


def _is_complete(received: bytearray) -> bool:
    """Whether the input is complete JSON, and so an object if it ends like one. Its strings may hold anything."""
    try:
        msgspec.json.decode(received, type=msgspec.Raw)
    except (msgspec.MsgspecError, ValueError, RecursionError):  # ValueError: not UTF-8
        return False
    return True
