"""A process's standard input, which the client may leave open, empty or huge (client-facts.md, X1)."""

import os
import sys
import time

import msgspec

IDLE_SECONDS = 2.0
"""With nothing arriving for this long, what has come is all there is."""
PAUSE_SECONDS = 0.05
"""A pause after which a complete document is taken as the end, although stdin is still open."""
HEAD_VARIABLE = "_TIDEGAUGE_STDIN_HEAD"
"""Where the launcher leaves the first bytes, which it had to read to tell a subagent's event."""


class _Anything(msgspec.Struct):
    """A JSON object of any content."""


def read(seconds: float) -> bytes:
    """All of stdin: up to its end, a complete JSON object followed by a pause, an idle time, or `seconds` in all."""
    head = os.fsencode(os.environ.pop(HEAD_VARIABLE, ""))
    deadline = time.monotonic() + seconds
    if sys.platform == "win32":
        return head + _read_in_thread(deadline)
    return _read_ready(head, deadline)


def _read_ready(head: bytes, deadline: float) -> bytes:
    import select  # noqa: PLC0415  not a thing of Windows' pipes

    received = [head] if head else []
    last = head
    silence = time.monotonic() + IDLE_SECONDS
    while time.monotonic() < deadline:
        ended = last.rstrip().endswith(b"}")
        wait = PAUSE_SECONDS if ended else max(0.0, silence - time.monotonic())
        if select.select([0], [], [], wait)[0]:
            last = os.read(0, 1 << 20)
            if not last:
                break
            received.append(last)
            silence = time.monotonic() + IDLE_SECONDS
        elif time.monotonic() >= silence or (ended and _complete(b"".join(received))):
            break
    return b"".join(received)


def _read_in_thread(deadline: float) -> bytes:
    import threading  # noqa: PLC0415  1.5 ms that only Windows pays

    received: list[bytes] = []

    def drain() -> None:
        while data := os.read(0, 1 << 20):
            received.append(data)

    thread = threading.Thread(target=drain, daemon=True)
    thread.start()
    silence, seen = time.monotonic() + IDLE_SECONDS, 0
    while thread.is_alive() and time.monotonic() < min(silence, deadline):
        thread.join(PAUSE_SECONDS)
        if len(received) > seen:
            silence, seen = time.monotonic() + IDLE_SECONDS, len(received)
        elif seen and _complete(b"".join(received)):
            break
    return b"".join(received)


def _complete(document: bytes) -> bool:
    try:
        msgspec.json.decode(document, type=_Anything)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return False
    return True
