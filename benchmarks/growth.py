"""A whole session, tool use by tool use, as its window fills: what each tool call really costs."""

import os
import statistics
from typing import NamedTuple

from benchmarks import payload, transcript
from benchmarks.case import Case
from benchmarks.gsd import Peer
from benchmarks.installation import BenchmarkInstallation
from benchmarks.process import run
from benchmarks.scene import Scene

FIRST, LAST = 20_000, 180_000
"""Tokens; from 10 % to 90 % of the window."""


class Growth(NamedTuple):
    """Time added to each tool call of a session."""

    tool_uses: int
    started: int
    """Tool uses at which the launcher started the interpreter."""
    mean: float
    """Seconds."""
    peer_mean: float | None


def play(installed: BenchmarkInstallation, scratch: str, peer: Peer | None) -> Growth:
    """Fill a session up, both monitors being asked at each tool use."""
    scene = Scene(installed, scratch, "growing", FIRST)
    seconds, peer_seconds, started = [], [], 0
    steps = range(FIRST, LAST, transcript.GROWTH)
    for turn, tokens in enumerate(steps, transcript.TURNS + 1):
        with open(scene.path, "ab") as file:
            file.write(transcript.answer(turn, tokens))
        stdin = payload.tool_use(scene.session, scene.path, scene.project, transcript.tool_use_id(turn))
        gate = _identity(scene.gate)
        ours = Case("growing session", installed.hook, scene.environment, stdin)
        seconds.append(run(ours, is_checked=False).seconds)
        started += gate is None or _identity(scene.gate) != gate
        if peer:
            peer.write_bridge(100 - tokens * 100 // transcript.WINDOW)
            theirs = Case("growing session", peer.monitor, scene.environment, stdin)
            peer_seconds.append(run(theirs, is_checked=False).seconds)
        with open(scene.path, "ab") as file:
            file.write(transcript.result(turn))
    peer_mean = statistics.mean(peer_seconds) if peer_seconds else None
    return Growth(len(steps), started, statistics.mean(seconds), peer_mean)


def _identity(path: str) -> tuple[int, int] | None:
    """What changes when a file is replaced."""
    try:
        status = os.stat(path)
    except FileNotFoundError:
        return None
    return status.st_ino, status.st_mtime_ns
