"""A process's standard input, which may stay open, be empty or be huge (docs/client.md, "Standard input")."""

import os
import sys
import time

import msgspec

IDLE_SECONDS = 2.0
"""Silence after which what has come is all there is."""
PAUSE_SECONDS = 0.05
"""A pause after which a complete document is taken as the end, although stdin is still open."""
MOST_BYTES = 32 << 20
"""The largest event. A larger one is read to its end, because the client waits for that, and then refused."""
HEAD_VARIABLE = "_TIDEGAUGE_STDIN_HEAD"
"""Where the launcher leaves the first bytes, which it had to read to tell a subagent's event."""


class _Received:
    """What has arrived: all of it, or nothing but its size once that is too large."""

    def __init__(self, head: bytes) -> None:
        self._parts = [head]
        self.size = len(head)
        """Bytes that have come, stored or not."""

    def add(self, data: bytes) -> None:
        self.size += len(data)
        self._parts.append(data)
        if self.size > MOST_BYTES:
            self._parts = [data]

    def may_be_all(self) -> bool:
        """Whether it ends as an object does."""
        return self._parts[-1].rstrip().endswith(b"}")

    def is_all(self) -> bool:
        """Whether it is whole JSON: an object, where it ends as one does. Its texts may be anything."""
        try:
            msgspec.json.decode(self.whole(), type=msgspec.Raw)
        except (msgspec.MsgspecError, ValueError, RecursionError):  # ValueError: too large, or not UTF-8
            return False
        return True

    def whole(self) -> bytes:
        """All of it. Raises ValueError when it was too large."""
        if self.size > MOST_BYTES:
            raise ValueError(f"stdin held more than {MOST_BYTES >> 20} MiB")
        return b"".join(self._parts)


def read(seconds: float) -> bytes:
    """All of stdin: up to its end, a complete JSON object followed by a pause, an idle time, or `seconds` in all.

    Raises ValueError for more than MOST_BYTES.
    """
    received = _Received(os.fsencode(os.environ.pop(HEAD_VARIABLE, "")))
    deadline = time.monotonic() + seconds
    if sys.platform == "win32":
        _read_in_thread(received, deadline)
    else:
        _read_ready(received, deadline)
    return received.whole()


def _read_ready(received: _Received, deadline: float) -> None:
    import select  # noqa: PLC0415  not a thing of Windows' pipes

    silence = time.monotonic() + IDLE_SECONDS
    while time.monotonic() < deadline:
        ended = received.may_be_all()
        wait = PAUSE_SECONDS if ended else max(0.0, silence - time.monotonic())
        if select.select([0], [], [], wait)[0]:
            data = os.read(0, 1 << 20)
            if not data:
                break
            received.add(data)
            silence = time.monotonic() + IDLE_SECONDS
        elif time.monotonic() >= silence or (ended and received.is_all()):
            break


def _read_in_thread(received: _Received, deadline: float) -> None:
    import threading  # noqa: PLC0415  1.5 ms that only Windows pays

    def drain() -> None:
        while data := os.read(0, 1 << 20):
            received.add(data)

    thread = threading.Thread(target=drain, daemon=True)
    thread.start()
    silence, size = time.monotonic() + IDLE_SECONDS, received.size
    while thread.is_alive() and time.monotonic() < min(silence, deadline):
        thread.join(PAUSE_SECONDS)
        if received.size > size:
            silence, size = time.monotonic() + IDLE_SECONDS, received.size
        elif received.may_be_all() and received.is_all():
            break
