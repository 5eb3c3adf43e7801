"""A session as lines of styled text, for a screen of some width."""

import os
import textwrap
from collections.abc import Iterator

from rich.text import Text

from monitor.commands.terminal import safe
from monitor.commands.watching.watcher import WatchedSession
from shared import wording
from shared.duration import duration_text
from shared.levels import Level
from shared.plain import one_line
from shared.verdict import Verdict

_STYLES = {Level.NORMAL: "green", Level.WARNING: "yellow", Level.CRITICAL: "red", Level.EXHAUSTED: "bold red"}
_HEIGHTS = "\u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588"
_FULL, _EMPTY = "\u2588", "\u2591"
_BAR = 40
_NARROW = 60
"""With fewer columns each line says less."""
_LABEL = 12


def draw(session: WatchedSession, width: int, now: float) -> list[Text]:
    """The lines of one session, none wider than `width` columns."""
    lines = list(_lines(session, width, now))
    for line in lines:
        line.truncate(width, overflow="ellipsis")
    return lines


def _lines(session: WatchedSession, width: int, now: float) -> Iterator[Text]:
    is_narrow = width < _NARROW
    verdict = session.verdict
    style = _STYLES[verdict.level] if verdict else "dim"
    name = safe(os.path.basename(session.directory)) or session.session_id
    head = Text(name, style="bold")
    if verdict is not None:
        head.append(f"  {_fill(verdict)}", style=style)
    if not is_narrow:
        head.append(f"  {safe(session.model)}  {session.session_id[:8]}", style="dim")
    yield head
    if verdict is None:
        yield Text("nothing measured yet", style="dim")
    else:
        yield _bar(verdict, min(_BAR, width - 2), style)
        yield _numbers(verdict, is_narrow=is_narrow)
        yield from (Text(line) for line in _outlook(verdict, width))
    if session.occupancy:
        yield Text(sparkline(session, width), style=style)
    yield Text("  ".join(_around(session, now, is_narrow=is_narrow)), style="dim")
    for line in session.story:
        yield Text(f"{line.label.ljust(_LABEL)}", style="dim").append(one_line(line.text, max(1, width)), style="none")


def sparkline(session: WatchedSession, width: int) -> str:
    """The newest answers, one column each; the height is how full the window was."""
    verdict = session.verdict
    window = (verdict.reading.window if verdict else None) or max(session.occupancy)
    shown = session.occupancy[-width:]
    top = len(_HEIGHTS) - 1
    return "".join(_HEIGHTS[min(top, tokens * len(_HEIGHTS) // max(1, window))] for tokens in shown)


def _fill(verdict: Verdict) -> str:
    if verdict.used is None:
        return "window size unknown"
    return f"{verdict.used}% used: {verdict.level.name}"


def _bar(verdict: Verdict, columns: int, style: str) -> Text:
    filled = min(columns, (verdict.used or 0) * columns // 100)
    return Text(_FULL * filled, style=style).append(_EMPTY * (columns - filled), style="dim")


def _numbers(verdict: Verdict, *, is_narrow: bool) -> Text:
    reading = verdict.reading
    if reading.tokens is None:
        return Text("tokens unknown", style="dim")
    if reading.window is None:
        return Text(f"{reading.tokens:,} tokens")
    if is_narrow:
        return Text(f"{reading.tokens:,} of {reading.window:,}")
    return Text(wording.in_use(reading))


def _outlook(verdict: Verdict, width: int) -> list[str]:
    """What is left, and what happens then: on one line if that fits."""
    said = [line for line in (wording.tool_uses_text(verdict.tool_uses_left), wording.to_limit(verdict)) if line]
    if width < _NARROW:
        return textwrap.wrap(said[0], width) if said else []
    return [" ".join(said)] if len(" ".join(said)) <= width else said


def _around(session: WatchedSession, now: float, *, is_narrow: bool) -> Iterator[str]:
    """The account's limits, and how long the session has been silent."""
    for name, limit in session.limits.items():
        is_long = limit.resets_at and not is_narrow
        yield f"{name} {limit.used}%" + (
            f" (resets in {duration_text((limit.resets_at or 0) - now)})" if is_long else ""
        )
    if session.written:
        yield f"written {duration_text(now - session.written)} ago"
