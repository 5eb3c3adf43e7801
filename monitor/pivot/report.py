"""The report on a session: rows of a label and a text, drawn by the command that shows them."""

from collections.abc import Iterator

from monitor.exporting.progress import is_lost
from monitor.pivot.messages import HOW
from monitor.pivot.overview import SessionOverview
from monitor.pivot.patterns.finding import Finding
from shared.gauge import wording
from shared.gauge.levels import Level
from shared.text.plain import one_line, path_end
from shared.text.quantities import duration_text
from shared.text.report_row import ReportRow, Tone, label_cell

_SOURCES = wording.READING_SOURCES | {"tool_calls": "a guess: 500 tokens a tool call"}
_TRIGGERS = {"emergency": "automatic", "person": "asked for"}


def rows(overview: SessionOverview) -> Iterator[ReportRow]:
    """The report, without the session's id."""
    verdict, last = overview.verdict, overview.last_pivot
    level = verdict.level if verdict else None
    tone: Tone = "quiet" if level is None else "urgent" if level >= Level.CRITICAL else "notice" if level else "calm"
    yield ReportRow("usage", _usage(overview), tone)
    if verdict or overview.tokens:
        yield ReportRow("measured", _measured(overview), "quiet")
    facts = {
        "limit": wording.to_limit(verdict) if verdict else "",
        "forecast": wording.forecast(verdict) if verdict else "",
        "cost": overview.cost,
    }
    yield from (ReportRow(label, text) for label, text in facts.items() if text)
    yield from _patterns(overview.patterns)
    yield ReportRow("work", f"{overview.complexity.kind}: {', '.join(overview.complexity.reasons)}")
    if last is not None:
        trigger = _TRIGGERS.get(last.trigger, last.trigger)
        yield ReportRow("last pivot", one_line(f"{last.strategy} at {last.timestamp} ({trigger})", 200))
        ends = {path: " (incomplete)" if is_lost(path) else "" for path in last.files}
        yield from (ReportRow("", path_end(path, 300) + end, "quiet") for path, end in ends.items())
    if overview.next:
        yield ReportRow("next", overview.next, tone)
    if overview.how is not None:
        yield ReportRow("how", f"{overview.how}: {HOW[overview.how]}")
        for reason in overview.decision.reasons if overview.how is overview.decision.strategy else ():
            yield ReportRow("", f"because {one_line(reason, 400)}", "quiet")
        yield ReportRow("run", overview.run)
    if overview.summary_file:
        yield ReportRow("summary file", f"{overview.summary_file}, where the agent is asked to save its state", "quiet")


def lines(overview: SessionOverview) -> list[str]:
    return [
        f"Session {overview.session_id}",
        *(f"  {label_cell(row.label)}{row.text}".rstrip() for row in rows(overview)),
    ]


def _usage(overview: SessionOverview) -> str:
    verdict = overview.verdict
    if verdict is None and not overview.tokens:
        return "unknown until the next answer"
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


def _patterns(patterns: tuple[Finding, ...]) -> Iterator[ReportRow]:
    if not patterns:
        yield ReportRow("patterns", "none: no sign that the session is degrading", "calm")
    for number, finding in enumerate(patterns):
        name = finding.name if finding.counts else f"{finding.name} (too uncertain to decide anything)"
        tone: Tone = "notice" if finding.counts else "quiet"
        yield ReportRow("" if number else "patterns", f"{name}, score {finding.score:g}", tone)
        for evidence in finding.evidence:
            files = f": {', '.join(path_end(path, 80) for path in evidence.files)}" if evidence.files else ""
            turns = f" (turns {evidence.turns[0]} to {evidence.turns[1]})"
            yield ReportRow("", f"  {evidence.text}{turns}{files}", "quiet")
