"""The delay of the client's transcript after a tool has run."""

import shlex
from pathlib import Path
from statistics import mean

from tests.client.client import HEADLESS, INTERACTIVE, MODEL, Client
from tests.client.model import MAIN
from tests.client.remeasure.home import measured_home
from tests.client.step import bash, read, say

CALLS = 12
CLOCK = Path(__file__).with_name("clock.sh")


def delays(client: Client) -> dict[str, dict[str, int]]:
    """By mode: how many tool calls weren't in the transcript when their hook started, and how late they came."""
    return {mode: _delays(client, mode) for mode in (HEADLESS, INTERACTIVE)}


def _delays(client: Client, mode: str) -> dict[str, int]:
    # The session's only hook: another one would give the client time to write.
    with measured_home(client, {"PostToolUse": f'sh {shlex.quote(str(CLOCK))} "$HOME/delays"'}) as home:
        home.project.mkdir()
        note = home.project / "note.txt"
        note.write_text("A note.\n")
        steps = [bash(20_000 + n) if n % 2 else read(20_000 + n, str(note)) for n in range(CALLS)]
        home.client.play(mode, home.project, {MAIN: [*steps, say(21_000, "Enough.")]}, model=MODEL)
        delays = [int(line) for line in (home.client.home / "delays").read_text().split()]
    late = [delay for delay in delays if delay]
    return {
        "tool calls": len(delays),
        "late": len(late),
        "mean ms": round(mean(late)) if late else 0,
        "longest ms": max(late, default=0),
    }
