"""The rules' findings in real transcripts: how often, at which fill, and where, for a person to judge."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from unittest import mock

import msgspec

from monitor.activity import reader
from monitor.activity.tool_calls import ToolCallLog
from monitor.pivot.patterns import PATTERNS, find_all
from monitor.pivot.patterns.finding import Finding
from shared.client import models

FILLS = (0, 25, 50, 70, 85)
"""Percent of the window from which on each row counts; the last three are the pivot's levels."""
_SESSION = "measured"


class SessionWindow(NamedTuple):
    """One window cycle of a session: from the session's beginning or the last emptying to its end."""

    transcript: str
    fill: float
    """Percent in use at its end."""
    findings: tuple[Finding, ...]


def windows_in(directory: Path) -> Iterator[SessionWindow]:
    """The windows with tool calls of every transcript below `directory`."""
    for path in sorted(directory.rglob("*.jsonl")):
        ends = _ends(path)
        size = _window_size(path, max((tokens for _, tokens in ends), default=0))
        for log, tokens in ends:
            yield SessionWindow(str(path.relative_to(directory)), 100 * tokens / size, find_all(log))


def _window_size(path: Path, most: int) -> int:
    """The session's own window: a long one where its requests, its model's name or its fullest answer say so."""
    data = path.read_bytes()
    is_long = most > models.STANDARD or b"context-1m-" in data or b'[1m]"' in data
    return max(models.LONG if is_long else models.STANDARD, most)


def _ends(path: Path) -> list[tuple[ToolCallLog, int]]:
    """The log at the end of each window, and the tokens in it."""
    result: list[tuple[ToolCallLog, int]] = []
    reset = ToolCallLog.reset

    def keep(log: ToolCallLog) -> None:
        if log.calls:
            result.append((msgspec.structs.replace(log, calls=list(log.calls)), log.window_tokens))

    def forget(log: ToolCallLog) -> None:
        keep(log)
        reset(log)

    with tempfile.TemporaryDirectory(prefix="tidegauge-patterns-") as root:
        os.makedirs(os.path.join(root, "run"))
        with mock.patch.object(ToolCallLog, "reset", forget):
            keep(reader.read(root, _SESSION, str(path)).log)
    return result


def table(windows: list[SessionWindow]) -> str:
    """Findings per 100 windows, by the window's fill at its end, as Markdown."""
    head = ("fill at the end", "windows", *PATTERNS, "any")
    lines = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    for least, most in zip(FILLS, (*FILLS[1:], float("inf")), strict=True):
        title = f"{least}% or more" if most > 100 else f"{least} to {most}%"
        lines.append(_row(title, [one for one in windows if least <= one.fill < most]))
    lines.append(_row("all", windows))
    return "\n".join(lines) + "\n"


def _row(title: str, windows: list[SessionWindow]) -> str:
    names = [{finding.name for finding in one.findings} for one in windows]
    counts = [*(sum(name in each for each in names) for name in PATTERNS), sum(bool(each) for each in names)]
    rates = (f"{100 * count / len(windows):.1f}" if windows else "-" for count in counts)
    return f"| {title} | {len(windows)} | {' | '.join(rates)} |"


def locations(windows: list[SessionWindow]) -> Iterator[str]:
    """A line for each finding: where to look, and its evidence."""
    for one in windows:
        for finding in one.findings:
            for evidence in finding.evidence:
                turns = f"turns {evidence.turns[0]} to {evidence.turns[1]}"
                files = f": {', '.join(evidence.files)}" if evidence.files else ""
                uncounted = "" if finding.counts else " (decides nothing)"
                yield f"{one.transcript}, {turns}, {finding.name}{uncounted}: {evidence.text}{files}"
