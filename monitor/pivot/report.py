"""Where a session stands, in words: lines of a label and a text, drawn by whoever shows them."""

from collections.abc import Iterator
from typing import Literal

import msgspec

from monitor.pivot.decision import Strategy
from monitor.pivot.overview import CurrentLevel, SessionOverview
from monitor.pivot.patterns.finding import Finding
from monitor.warnings.messages import WINDOW_SOURCES
from shared.duration import duration_text
from shared.plain import one_line, path_end

Tone = Literal["plain", "calm", "notice", "urgent", "quiet"]
_LABEL = 12
_SOURCES = {
    "bridge": "the status line",
    "transcript": "the transcript",
    "tool_calls": "a guess: 500 tokens a tool call",
}
_URGENT = {"CRITICAL", "EXHAUSTED", "EMERGENCY"}
_CALM = {"NORMAL", "NOMINAL", "BELOW"}
CARRIED_OUT = frozenset({Strategy.CHUNK, Strategy.COMPRESS, Strategy.EXPORT, Strategy.SPAWN})
"""What `--pivot` can be given."""
_ADVICE = {
    Strategy.NOTHING: "nothing to do",
    Strategy.MONITOR: "go on, and watch",
    Strategy.CONTINUE: "go on",
    Strategy.CHUNK: "chunk: hand the remaining work to subagents",
    Strategy.COMPRESS: "compress: compact the conversation, told what to keep",
    Strategy.EXPORT: "export: save the session",
    Strategy.SPAWN: "spawn: go on in a new session",
}


class ReportRow(msgspec.Struct, frozen=True):
    """One line of a report."""

    label: str
    """Empty when it goes on with the one above."""
    text: str
    """What is from outside in it is made safe."""
    tone: Tone = "plain"


def title(overview: SessionOverview) -> str:
    return f"Session {overview.session_id}"


def rows(overview: SessionOverview) -> Iterator[ReportRow]:
    """The report, without its title."""
    yield ReportRow("usage", _usage(overview), _tone(_level(overview, "pivot")))
    yield ReportRow("measured", _measured(overview), "quiet")
    for current in overview.ladders:
        yield ReportRow(current.ladder, _current(current), _tone(current.level))
    yield ReportRow("forecast", _forecast(overview), "quiet" if overview.forecast is None else "plain")
    yield from _patterns(overview.patterns)
    yield ReportRow("work", f"{overview.complexity.kind}: {', '.join(overview.complexity.reasons)}")
    if overview.last_pivot is not None:
        last = overview.last_pivot
        yield ReportRow("last pivot", one_line(f"{last.strategy} at {last.timestamp} ({last.trigger})", 200))
        for path in last.files:
            yield ReportRow("", path_end(path, 300), "quiet")
    yield ReportRow("best", _ADVICE[overview.decision.strategy], _tone(_level(overview, "pivot")))
    for reason in overview.decision.reasons:
        yield ReportRow("", f"because {one_line(reason, 400)}", "quiet")
    if overview.decision.strategy in CARRIED_OUT:
        yield ReportRow("to do so", f"tidegauge status --pivot {overview.decision.strategy}")


def lines(overview: SessionOverview) -> list[str]:
    """The whole report as plain text."""
    return [title(overview), *(plain(row) for row in rows(overview))]


def plain(row: ReportRow) -> str:
    return f"  {row.label.ljust(_LABEL)}{row.text}".rstrip()


def _usage(overview: SessionOverview) -> str:
    used = f"{int(overview.used * 10 + 1e-6) / 10:g} %"
    if overview.reading is None:
        return f"about {used} of {overview.window:,} tokens: neither the status line nor the transcript say"
    if overview.reading.remaining is None:
        return f"{overview.tokens:,} tokens, window size unknown"
    if overview.reading.tokens is None:
        return f"{used} used"
    return f"{overview.tokens:,} of {overview.window:,} tokens, {used} used"


def _measured(overview: SessionOverview) -> str:
    by = _SOURCES.get(overview.source, overview.source)
    if overview.reading is None:
        return by
    size = f"; the window's size {WINDOW_SOURCES[overview.reading.window_source]}"
    expected = f"; compaction expected near {overview.compaction_at:,} (an estimate)" if overview.compaction_at else ""
    return f"by {by} {duration_text(overview.age)} ago{size}{expected}"


def _current(current: CurrentLevel) -> str:
    if current.next is None or current.begins is None:
        return current.level
    return f"{current.level}; {current.next} from {current.begins:,} tokens"


def _forecast(overview: SessionOverview) -> str:
    found = overview.forecast
    if found is None:
        return "none: too few recent turns"
    text = f"about {found.until_full} tool uses until the window is full"
    if found.until_next is not None:
        following = next(current.next for current in overview.ladders if current.ladder == "pivot")
        text += f", {found.until_next} until {following}"
    return text


def _patterns(patterns: tuple[Finding, ...]) -> Iterator[ReportRow]:
    if not patterns:
        yield ReportRow("patterns", "none: no sign that the session degrades", "calm")
    for number, finding in enumerate(patterns):
        yield ReportRow("" if number else "patterns", f"{finding.name}, score {finding.score:g}", "notice")
        for evidence in finding.evidence:
            files = f": {', '.join(path_end(path, 80) for path in evidence.files)}" if evidence.files else ""
            turns = f" (turns {evidence.turns[0]} to {evidence.turns[1]})"
            yield ReportRow("", f"  {evidence.text}{turns}{files}", "quiet")


def _level(overview: SessionOverview, ladder: str) -> str:
    return next((current.level for current in overview.ladders if current.ladder == ladder), "")


def _tone(level: str) -> Tone:
    name = level.upper()
    return "calm" if name in _CALM else "urgent" if name in _URGENT else "notice"
