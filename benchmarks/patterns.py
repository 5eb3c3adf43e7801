"""Precision and recall of the patterns, in synthetic sessions with known problems and in captured ones.

`python -m benchmarks.patterns --transcripts DIRECTORY` prints the patterns in your own transcripts, with their places.
"""

import argparse
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from benchmarks.real_sessions import locations, table, windows_in
from benchmarks.sessions.degrading import CLEAR, DEGRADING, FAINT
from benchmarks.sessions.lookalikes import LOOKALIKES
from benchmarks.sessions.writer import MadeUpSession
from monitor.activity import reader
from monitor.pivot.patterns import PATTERNS, find_all

SEEDS = range(100, 112)
"""One session of each form and strength, and of each look-alike; the thresholds were chosen with those below 30."""
CAPTURED = Path(__file__).parents[1] / "tests" / "payloads" / "transcripts"
"""Real, short sessions in which nothing is wrong."""
_SESSION = "labelled"


Trouble = Callable[[MadeUpSession, str], None]


class Result(NamedTuple):
    """The patterns detected in one session."""

    form: str
    """How its problem shows, or what it resembles."""
    label: str
    """The pattern that is in it; empty for none."""
    strength: str
    names: frozenset[str]


def results(seeds: range = SEEDS) -> Iterator[Result]:
    """The result of each made-up session."""
    for path in sorted(CAPTURED.glob("*/*.jsonl")):
        with tempfile.TemporaryDirectory(prefix="tidegauge-patterns-") as directory:
            yield Result("captured from a client", "", "", patterns_of(str(path), directory))
    for seed in seeds:
        for label, forms in DEGRADING.items():
            for form in forms:
                for strength in (CLEAR, FAINT):
                    session = MadeUpSession(f"{form.__name__} {strength} {seed}")
                    form(session, strength)
                    yield Result(form.__name__, label, strength, patterns_in(session))
        for lookalike in LOOKALIKES:
            session = MadeUpSession(f"{lookalike.__name__} {seed}")
            lookalike(session)
            yield Result(lookalike.__name__, "", "", patterns_in(session))


def patterns_in(session: MadeUpSession) -> frozenset[str]:
    with tempfile.TemporaryDirectory(prefix="tidegauge-patterns-") as directory:
        return patterns_of(session.save(directory), directory, session.tokens)


def patterns_of(transcript: str, root: str, tokens: int = 0) -> frozenset[str]:
    """The patterns with their default thresholds; state is written to `root`."""
    os.makedirs(os.path.join(root, "run"), exist_ok=True)
    log = reader.read(root, _SESSION, transcript).log
    log.measured_tokens = tokens
    return frozenset(finding.name for finding in find_all(log))


def by_pattern() -> str:
    """Precision and recall of each pattern, as Markdown."""
    return scores(list(results()))


def scores(results: list[Result]) -> str:
    head = ("pattern", "with it", "found when clear", "when faint", "without it", "false alarms", "precision", "recall")
    lines = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    for name in PATTERNS:
        present = [result for result in results if result.label == name]
        hits = [result for result in present if name in result.names]
        absent = [result for result in results if result.label != name]
        alarms = [result for result in absent if name in result.names]
        shares = [_share(present, name, strength) for strength in (CLEAR, FAINT)]
        rates = [len(hits) / max(1, len(hits) + len(alarms)), len(hits) / max(1, len(present))]
        cells = [name, len(present), *shares, len(absent), len(alarms), *(f"{rate:.2f}" for rate in rates)]
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(lines) + "\n"


def _share(results: list[Result], name: str, strength: str) -> str:
    of_it = [result for result in results if result.strength == strength]
    return f"{sum(name in result.names for result in of_it)} of {len(of_it)}"


def main(arguments: list[str]) -> int:
    """Print the patterns in the transcripts below a directory."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.patterns", description=main.__doc__)
    parser.add_argument("--transcripts", type=Path, required=True, metavar="DIRECTORY", help="e.g. ~/.claude/projects")
    windows = list(windows_in(parser.parse_args(arguments).transcripts.expanduser()))
    sys.stdout.writelines(f"{line}\n" for line in locations(windows))
    sys.stdout.write(f"\nFindings per 100 windows:\n\n{table(windows)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
