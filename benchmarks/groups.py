"""The groups of compared cases, and the target ratios."""

import os
from typing import NamedTuple

from benchmarks.case import Case, Unexpected
from benchmarks.gsd import Peer
from benchmarks.installation import BenchmarkInstallation
from benchmarks.pairing import Measured, measure
from benchmarks.scene import STALE_SECONDS, Scene
from benchmarks.transcript import append_long_line

SIZES = {"1 MB": 10**6, "20 MB": 20 * 10**6, "200 MB": 200 * 10**6, "1 GB": 10**9}
LONG_LINE = 50 << 20
WARNING = 136_000
"""Tokens at which the level's message is due, and not the pivot's announcement, which comes once in a session."""
PEAK_MEBIBYTES = 30
CONFIG = """\
[levels.warning]
remaining = 40

[statusline]
color = "256"
hide = ["cost", "duration"]
"""


class Target(NamedTuple):
    """An upper bound for a ratio; both cases are in the same group."""

    name: str
    case: str
    reference: str
    most: float


class Group(NamedTuple):
    """Cases run side by side; each ratio is relative to `reference`."""

    title: str
    reference: str
    cases: dict[str, Measured]


TARGETS = [
    Target("quiet tool use / bare interpreter", "quiet", "python -I -S -c pass", 0.5),
    Target("tool use that speaks / GSD monitor that warns", "speaks", "GSD monitor, warns", 0.95),
    Target("status line / GSD status line", "status line", "GSD status line", 0.9),
    Target(
        "stale bridge: 1 GB / 1 MB transcript",
        "speaks, stale bridge, 1 GB",
        "speaks, stale bridge, 1 MB",
        1.1,
    ),
]


def monitors(installed: BenchmarkInstallation, scratch: str, peer: Peer | None, rounds: int) -> Group:
    """A tool use with nothing to say and one with something, against the floors and the peer."""
    speaks = Scene(installed, scratch, "speaks", WARNING)
    quiet = Scene(installed, scratch, "quiet", 60_000)
    huge = Scene(installed, scratch, "quiet huge", 60_000, SIZES["1 GB"])
    cases = [
        bare(installed),
        speaks.speaking("speaks"),
        quiet.quiet("quiet"),
        huge.quiet("quiet, 1 GB transcript"),
    ]
    if peer:
        cases += [node(installed), *_peer_monitor(peer, speaks)]
    gates = [os.stat(scene.gate).st_ino for scene in (quiet, huge)]
    group = Group("PostToolUse", cases[0].name, measure(cases, rounds))
    if gates != [os.stat(scene.gate).st_ino for scene in (quiet, huge)]:  # the monitor replaces it when it runs
        raise Unexpected("quiet: the launcher started the interpreter")
    return group


def status_lines(installed: BenchmarkInstallation, scratch: str, peer: Peer | None, rounds: int) -> Group:
    """Our status line, with and without a configuration file, against the peer's."""
    scene = Scene(installed, scratch, "drawing", 142_000)
    cases = [bare(installed), scene.drawing("status line"), scene.drawing("status line, configured", CONFIG)]
    if peer:
        environment = scene.environment
        cases += [Case("GSD status line", peer.status_line, environment, scene.status, expected=b"shop")]
    return Group("Status line", cases[0].name, measure(cases, rounds))


def transcripts(installed: BenchmarkInstallation, scratch: str, rounds: int) -> Group:
    """A tool use that must read the transcript because its bridge is old, by transcript size."""
    cases = []
    for label, size in SIZES.items():
        scene = Scene(installed, scratch, f"stale {label}", WARNING, size)
        cases.append(scene.speaking(f"speaks, stale bridge, {label}", age=STALE_SECONDS))
    scene = Scene(installed, scratch, "stale long line", WARNING, SIZES["200 MB"])
    append_long_line(scene.path, LONG_LINE)
    cases.append(scene.speaking("the same behind a line of 50 MB", age=STALE_SECONDS))
    return Group("Transcripts", cases[0].name, measure(cases, rounds))


def bare(installed: BenchmarkInstallation) -> Case:
    """The floor of any hook in Python: the environment's own interpreter doing nothing."""
    return Case("python -I -S -c pass", [installed.python, "-I", "-S", "-c", "pass"], installed.environment)


def node(installed: BenchmarkInstallation) -> Case:
    """The floor of any hook in Node."""
    return Case("node -e 0", ["node", "-e", "0"], installed.environment)


def _peer_monitor(peer: Peer, scene: Scene) -> list[Case]:
    def warns() -> None:
        peer.forget()
        peer.write_bridge(29)

    def is_quiet() -> None:
        peer.forget()
        peer.write_bridge(70)

    stdin = scene.tool_use.replace(scene.session.encode(), peer.session.encode())
    return [
        Case("GSD monitor, quiet", peer.monitor, scene.environment, stdin, is_quiet),
        Case("GSD monitor, warns", peer.monitor, scene.environment, stdin, warns, b"CONTEXT WARNING"),
    ]
