"""Where a session stands, in words: lines of a label and a text, drawn by whoever shows them."""

from collections.abc import Iterator
from typing import Literal

import msgspec

from monitor.pivot.decision import Strategy
from monitor.pivot.messages import recommends
from monitor.pivot.overview import SessionOverview
from monitor.pivot.patterns.finding import Finding
from shared import wording
from shared.duration import duration_text
from shared.levels import Level
from shared.plain import one_line, path_end
from shared.verdict import Verdict

Tone = Literal["plain", "calm", "notice", "urgent", "quiet"]
_LABEL = 12
_SOURCES = wording.READING_SOURCES | {"tool_calls": "a guess: 500 tokens a tool call"}
_TONES: dict[Level, Tone] = {Level.NORMAL: "calm", Level.WARNING: "notice"}
_TRIGGERS = {"emergency": "by itself", "person": "asked for"}
_ADVICE = {
    Strategy.CHUNK: "chunk: hand the remaining work to subagents",
    Strategy.COMPRESS: "compress: compact the conversation, told what to keep",
    Strategy.EXPORT: "export: save the session",
    Strategy.SPAWN: "spawn: continue in a new session",
}
CARRIED_OUT = frozenset(_ADVICE)
"""What `--pivot` can be given."""


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
    tone = _TONES.get(overview.verdict.level, "urgent") if overview.verdict else "quiet"
    yield ReportRow("usage", _usage(overview), tone)
    yield ReportRow("measured", _measured(overview), "quiet")
    yield from _outlook(overview.verdict)
    yield from _patterns(overview.patterns)
    yield ReportRow("work", f"{overview.complexity.kind}: {', '.join(overview.complexity.reasons)}")
    if overview.last_pivot is not None:
        last = overview.last_pivot
        yield ReportRow(
            "last pivot",
            one_line(f"{last.strategy} at {last.timestamp} ({_TRIGGERS.get(last.trigger, last.trigger)})", 200),
        )
        for path in last.files:
            yield ReportRow("", path_end(path, 300), "quiet")
    if overview.verdict is not None:
        yield ReportRow("next", wording.person_step(overview.verdict), tone)
    yield from _recommended(overview)


def lines(overview: SessionOverview) -> list[str]:
    """The whole report as plain text."""
    return [title(overview), *(plain(row) for row in rows(overview))]


def plain(row: ReportRow) -> str:
    return f"  {row.label.ljust(_LABEL)}{row.text}".rstrip()


def _usage(overview: SessionOverview) -> str:
    verdict = overview.verdict
    if verdict is None:
        return f"about {overview.tokens:,} tokens: neither the status line nor the transcript says"
    if verdict.used is None:
        return f"{overview.tokens:,} tokens, window size unknown"
    used = f"{verdict.used}% used: {verdict.level.name}"
    return used if verdict.reading.tokens is None else f"{overview.tokens:,} of {overview.window:,} tokens, {used}"


def _measured(overview: SessionOverview) -> str:
    by = _SOURCES.get(overview.source, overview.source)
    if overview.verdict is None:
        return by
    source = wording.WINDOW_SOURCES[overview.verdict.reading.window_source]
    return f"by {by} {duration_text(overview.age)} ago; window size: {source}"


def _outlook(verdict: Verdict | None) -> Iterator[ReportRow]:
    if verdict is None:
        return
    if limit := wording.to_limit(verdict):
        yield ReportRow("limit", limit)
    if left := wording.tool_uses_text(verdict.tool_uses_left):
        yield ReportRow("forecast", left)


def _recommended(overview: SessionOverview) -> Iterator[ReportRow]:
    """What the pivot recommends; nothing that contradicts the step."""
    strategy = overview.decision.strategy
    if strategy not in _ADVICE or (overview.verdict and not recommends(strategy, overview.verdict)):
        return
    yield ReportRow("suggested", _ADVICE[strategy])
    for reason in overview.decision.reasons:
        yield ReportRow("", f"because {one_line(reason, 400)}", "quiet")
    yield ReportRow("to do so", f"tidegauge status --pivot {strategy}")


def _patterns(patterns: tuple[Finding, ...]) -> Iterator[ReportRow]:
    if not patterns:
        yield ReportRow("patterns", "none: no sign that the session degrades", "calm")
    for number, finding in enumerate(patterns):
        name = finding.name if finding.counts else f"{finding.name} (too uncertain to decide anything)"
        tone: Tone = "notice" if finding.counts else "quiet"
        yield ReportRow("" if number else "patterns", f"{name}, score {finding.score:g}", tone)
        for evidence in finding.evidence:
            files = f": {', '.join(path_end(path, 80) for path in evidence.files)}" if evidence.files else ""
            turns = f" (turns {evidence.turns[0]} to {evidence.turns[1]})"
            yield ReportRow("", f"  {evidence.text}{turns}{files}", "quiet")
