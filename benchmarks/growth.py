"""The cost of each tool call in a whole session, as its window fills."""

import os
import statistics
import threading
from typing import NamedTuple

from benchmarks import payload, transcript
from benchmarks.case import Case, Unexpected
from benchmarks.gsd import Peer
from benchmarks.installation import BenchmarkInstallation
from benchmarks.process import run
from benchmarks.scene import Scene

FIRST, LAST = 20_000, 180_000
"""Tokens; from 10% to 90% of the window."""
LAG_SECONDS = 0.100
"""How late the client writes the answer that called a fast tool (docs/client.md, "Order and delay")."""
SESSIONS = 3
"""Sessions of each kind, in turns."""


class Growth(NamedTuple):
    """Time added to each tool call of a session."""

    lag: float
    """Seconds after the hook's start at which the answer that called the tool is written; 0: before it."""
    tool_uses: int
    started: int
    """Tool uses at which the launcher started the interpreter."""
    messages: int
    """Tool uses with which the agent got a message."""
    mean: float
    """Seconds, the wait for the transcript included."""
    peer_mean: float | None


def sessions(installed: BenchmarkInstallation, scratch: str, peer: Peer | None) -> list[Growth]:
    """A session with an up-to-date transcript and one with a lagging transcript; of each kind the one of median time.

    Raises Unexpected.
    """
    lags = (0.0, LAG_SECONDS)
    played = [[_play(installed, scratch, peer, lag, number) for lag in lags] for number in range(SESSIONS)]
    return [sorted(column, key=lambda growth: growth.mean)[SESSIONS // 2] for column in zip(*played, strict=True)]


def _play(installed: BenchmarkInstallation, scratch: str, peer: Peer | None, lag: float, number: int) -> Growth:
    """Fill a session up, asking both monitors at each tool use."""
    scene = Scene(installed, scratch, f"growing {round(lag * 1000)} {number}", FIRST)
    seconds, peer_seconds, started, messages = [], [], 0, 0
    steps = range(FIRST, LAST, transcript.GROWTH)
    for turn, tokens in enumerate(steps, transcript.TURNS + 1):
        stdin = payload.tool_use(scene.session, scene.path, scene.project, transcript.tool_use_id(turn))
        gate = _identity(scene.gate)
        ours = Case("growing session", installed.hook, scene.environment, stdin)
        client = threading.Timer(lag, _append, (scene.path, transcript.answer(turn, tokens)))
        client.start()
        if not lag:
            client.join()
        timed = run(ours, is_checked=False)
        client.join()
        seconds.append(timed.seconds)
        started += gate is None or _identity(scene.gate) != gate
        messages += bool(timed.output)
        if peer:
            peer.write_bridge(100 - tokens * 100 // transcript.WINDOW)
            theirs = Case("growing session", peer.monitor, scene.environment, stdin)
            peer_seconds.append(run(theirs, is_checked=False).seconds)
        _append(scene.path, transcript.result(turn))
    if not messages:
        raise Unexpected(f"growing session: no message at {LAST:,} tokens")
    peer_mean = statistics.mean(peer_seconds) if peer_seconds else None
    return Growth(lag, len(steps), started, messages, statistics.mean(seconds), peer_mean)


def _append(path: str, data: bytes) -> None:
    with open(path, "ab") as file:
        file.write(data)


def _identity(path: str) -> tuple[int, int] | None:
    """A value that changes when a file is replaced."""
    try:
        status = os.stat(path)
    except FileNotFoundError:
        return None
    return status.st_ino, status.st_mtime_ns
