"""A session as lines of styled text, for a screen of a given width."""

import os
from collections.abc import Iterator

from rich.text import Text

from commands.terminal import safe
from commands.watch.watcher import WatchedSession
from history.questions.answer.sparkline import sparkline
from shared.gauge import wording
from shared.gauge.levels import Level
from shared.gauge.verdict import Verdict
from shared.gauge.window import Reading
from shared.text.plain import one_line
from shared.text.quantities import duration_text
from shared.text.report_row import label_cell

STYLES = {Level.NORMAL: "green", Level.WARNING: "yellow", Level.CRITICAL: "red", Level.EXHAUSTED: "bold red"}
_FULL, _EMPTY = "\u2588", "\u2591"
_BAR = 40


def draw(session: WatchedSession, width: int, now: float) -> Iterator[Text]:
    """Yield the lines of one session; the screen folds prose that is longer than `width` columns."""
    verdict = session.verdict
    style = STYLES[verdict.level] if verdict else "dim"
    yield _head(session, style)
    if session.waiting:
        ago = duration_text(now - session.waiting.since)
        yield Text(f"waiting for you for {ago}: {session.waiting.reason}", style="bold yellow")
    if verdict is None:
        yield Text("nothing measured yet", style="dim")
    else:
        yield _bar(verdict, min(_BAR, width - 2), style)
        yield _numbers(verdict.reading)
        yield from (Text(line) for line in (wording.forecast(verdict), wording.to_limit(verdict)) if line)
    if session.occupancy:
        yield Text(occupancy_line(session, width), style=style)
    yield Text("  ".join(_footer(session, now)), style="dim")
    for line in session.summary:
        cell = label_cell(line.label)
        text = one_line(line.text, max(1, width - len(cell)))
        yield Text(cell, style="dim").append(text, style="none")


def _head(session: WatchedSession, style: str) -> Text:
    """The name, how full the window is, and what else identifies the session."""
    head = Text(safe(os.path.basename(session.directory)) or session.session_id, style="bold")
    if verdict := session.verdict:
        fill = "window size unknown" if verdict.used is None else f"{verdict.used}% used: {verdict.level.name}"
        head.append(f"  {fill}", style=style)
    return head.append(f"  {safe(session.model)}  {session.session_id[:8]}", style="dim")


def occupancy_line(session: WatchedSession, width: int) -> str:
    """The newest answers, one column each; the height is how full the window was."""
    verdict = session.verdict
    window = (verdict.reading.window if verdict else None) or max(session.occupancy)
    return sparkline(session.occupancy[-width:], window, width)


def _bar(verdict: Verdict, columns: int, style: str) -> Text:
    filled = min(columns, (verdict.used or 0) * columns // 100)
    return Text(_FULL * filled, style=style).append(_EMPTY * (columns - filled), style="dim")


def _numbers(reading: Reading) -> Text:
    if reading.tokens is None:
        return Text("tokens unknown", style="dim")
    return Text(wording.in_use(reading) or f"{reading.tokens:,} tokens")


def _footer(session: WatchedSession, now: float) -> Iterator[str]:
    """The account's limits, and how long the session has been silent."""
    for name, limit in session.limits.items():
        reset = f" (resets in {duration_text(limit.resets_at - now)})" if limit.resets_at else ""
        yield f"{name} {limit.used}%{reset}"
    if session.written:
        yield f"written {duration_text(now - session.written)} ago"
