"""Where a session stands, in words: lines of a label and a text, drawn by whoever shows them."""

from collections.abc import Iterator
from typing import Literal

import msgspec

from monitor.pivot.decision import Strategy
from monitor.pivot.overview import Rung, Standing
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


def title(standing: Standing) -> str:
    return f"Session {standing.session_id}"


def rows(standing: Standing) -> Iterator[ReportRow]:
    """The report, without its title."""
    yield ReportRow("usage", _usage(standing), _tone(_level(standing, "pivot")))
    yield ReportRow("measured", _measured(standing), "quiet")
    for rung in standing.ladders:
        yield ReportRow(rung.ladder, _rung(rung), _tone(rung.level))
    yield ReportRow("forecast", _forecast(standing), "quiet" if standing.forecast is None else "plain")
    yield from _patterns(standing.patterns)
    yield ReportRow("work", f"{standing.complexity.kind}: {', '.join(standing.complexity.reasons)}")
    if standing.last_pivot is not None:
        last = standing.last_pivot
        yield ReportRow("last pivot", one_line(f"{last.strategy} at {last.timestamp} ({last.trigger})", 200))
        for path in last.files:
            yield ReportRow("", path_end(path, 300), "quiet")
    yield ReportRow("best", _ADVICE[standing.decision.strategy], _tone(_level(standing, "pivot")))
    for reason in standing.decision.reasons:
        yield ReportRow("", f"because {one_line(reason, 400)}", "quiet")
    if standing.decision.strategy in CARRIED_OUT:
        yield ReportRow("to do so", f"tidegauge status --pivot {standing.decision.strategy}")


def lines(standing: Standing) -> list[str]:
    """The whole report as plain text."""
    return [title(standing), *(plain(row) for row in rows(standing))]


def plain(row: ReportRow) -> str:
    return f"  {row.label.ljust(_LABEL)}{row.text}".rstrip()


def _usage(standing: Standing) -> str:
    used = f"{int(standing.used * 10 + 1e-6) / 10:g} %"
    if standing.reading is None:
        return f"about {used} of {standing.window:,} tokens: neither the status line nor the transcript say"
    if standing.reading.tokens is None:
        return f"{used} used"
    return f"{standing.tokens:,} of {standing.window:,} tokens, {used} used"


def _measured(standing: Standing) -> str:
    by = _SOURCES.get(standing.source, standing.source)
    if standing.reading is None:
        return by
    size = f"; the window's size {WINDOW_SOURCES[standing.reading.window_source]}"
    expected = f"; compaction expected near {standing.compaction_at:,} (an estimate)" if standing.compaction_at else ""
    return f"by {by} {duration_text(standing.age)} ago{size}{expected}"


def _rung(rung: Rung) -> str:
    if rung.next is None:
        return rung.level
    return f"{rung.level}; {rung.next} from {rung.begins:,} tokens" if rung.begins is not None else rung.level


def _forecast(standing: Standing) -> str:
    found = standing.forecast
    if found is None:
        return "none: too few recent turns"
    text = f"about {found.until_full} tool uses until the window is full"
    if found.until_next is not None:
        following = next(rung.next for rung in standing.ladders if rung.ladder == "pivot")
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


def _level(standing: Standing, ladder: str) -> str:
    return next((rung.level for rung in standing.ladders if rung.ladder == ladder), "")


def _tone(level: str) -> Tone:
    name = level.upper()
    return "calm" if name in _CALM else "urgent" if name in _URGENT else "notice"
