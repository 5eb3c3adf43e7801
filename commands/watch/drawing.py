"""A session as lines of styled text, for a screen of some width."""

import os
import textwrap
from collections.abc import Iterator

from rich.text import Text

from commands.terminal import safe
from commands.watch.watcher import WatchedSession
from history.questions.answer.sparkline import sparkline
from shared.gauge import wording
from shared.gauge.levels import Level
from shared.gauge.verdict import Verdict
from shared.text.plain import one_line
from shared.text.quantities import duration_text, tokens_text

STYLES = {Level.NORMAL: "green", Level.WARNING: "yellow", Level.CRITICAL: "red", Level.EXHAUSTED: "bold red"}
_FULL, _EMPTY = "\u2588", "\u2591"
_BAR = 40
_NARROW, _TINY = 60, 30
"""With fewer columns each line says less; with still fewer, what was side by side is on lines of its own."""
_LABEL = 12


def draw(session: WatchedSession, width: int, now: float) -> list[Text]:
    """The lines of one session, none wider than `width` columns."""
    lines = list(_lines(session, width, now))
    for line in lines:
        line.truncate(width, overflow="ellipsis")
    return lines


def fitting(forms: list[str], width: int) -> str:
    """The first of `forms` that fits, else the last, which is the shortest."""
    return next((form for form in forms if len(form) <= width), forms[-1])


def _lines(session: WatchedSession, width: int, now: float) -> Iterator[Text]:
    verdict = session.verdict
    style = STYLES[verdict.level] if verdict else "dim"
    yield from _head(session, style, width)
    if session.waiting:
        ago = duration_text(now - session.waiting.since)
        forms = [f"waiting for you for {ago}: {session.waiting.reason}", f"{session.waiting.reason}, {ago}", ago]
        yield Text(fitting(forms, width), style="bold yellow")
    if verdict is None:
        yield Text("nothing measured yet", style="dim")
    else:
        yield _bar(verdict, min(_BAR, width - 2), style)
        yield _numbers(verdict, width)
        yield from (Text(line) for line in _outlook(verdict, width))
    if session.occupancy:
        yield Text(occupancy_line(session, width), style=style)
    around = list(_around(session, now, width))
    yield from (Text(line, style="dim") for line in (["  ".join(around)] if width >= _TINY else around))
    for line in session.summary:
        label = line.label.ljust(_LABEL) if width >= _TINY else f"{line.label}: "
        yield Text(label, style="dim").append(one_line(line.text, max(1, width)), style="none")


def _head(session: WatchedSession, style: str, width: int) -> Iterator[Text]:
    """The name, how full the window is, and where there are columns for it what else identifies the session."""
    head = Text(safe(os.path.basename(session.directory)) or session.session_id, style="bold")
    fills = _fills(session.verdict) if session.verdict else []
    if fills and width < _TINY:
        yield head
        yield Text(fitting(fills, width), style=style)
        return
    if fills:
        head.append(f"  {fills[0]}", style=style)
    if width >= _NARROW:
        head.append(f"  {safe(session.model)}  {session.session_id[:8]}", style="dim")
    yield head


def occupancy_line(session: WatchedSession, width: int) -> str:
    """The newest answers, one column each; the height is how full the window was."""
    verdict = session.verdict
    window = (verdict.reading.window if verdict else None) or max(session.occupancy)
    return sparkline(session.occupancy[-width:], window, width)


def _fills(verdict: Verdict) -> list[str]:
    if verdict.used is None:
        return ["window size unknown", "unknown"]
    return [f"{verdict.used}% used: {verdict.level.name}", f"{verdict.used}% {verdict.level.name}", f"{verdict.used}%"]


def _bar(verdict: Verdict, columns: int, style: str) -> Text:
    filled = min(columns, (verdict.used or 0) * columns // 100)
    return Text(_FULL * filled, style=style).append(_EMPTY * (columns - filled), style="dim")


def _numbers(verdict: Verdict, width: int) -> Text:
    reading = verdict.reading
    if reading.tokens is None:
        return Text("tokens unknown", style="dim")
    tokens, window = reading.tokens, reading.window
    if window is None:
        return Text(fitting([f"{tokens:,} tokens", tokens_text(tokens)], width))
    forms = [wording.in_use(reading)] if width >= _NARROW else []
    forms += [f"{tokens:,} of {window:,}", f"{tokens_text(tokens)} of {tokens_text(window)}", tokens_text(tokens)]
    return Text(fitting(forms, width))


def _outlook(verdict: Verdict, width: int) -> list[str]:
    """What is left, and what happens then: on one line if that fits."""
    lines = [line for line in (wording.forecast(verdict), wording.to_limit(verdict)) if line]
    if width < _NARROW:
        return textwrap.wrap(lines[0], width) if lines else []
    return [" ".join(lines)] if len(" ".join(lines)) <= width else lines


def _around(session: WatchedSession, now: float, width: int) -> Iterator[str]:
    """The account's limits, and how long the session has been silent."""
    for name, limit in session.limits.items():
        is_long = limit.resets_at and width >= _NARROW
        reset = f" (resets in {duration_text((limit.resets_at or 0) - now)})" if is_long else ""
        yield f"{name} {limit.used}%{reset}"
    if session.written:
        ago = f"{duration_text(now - session.written)} ago"
        yield fitting([f"written {ago}", ago], width)
