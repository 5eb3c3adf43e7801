"""The explanation of a session, as lines of text."""

from collections.abc import Iterable, Iterator

from commands.doctor import finding
from commands.doctor.session.explain import Explanation, Report
from commands.terminal import facts, painted, safe
from shared import gate
from shared.gauge.levels import Level
from shared.gauge.wording import LIMIT_SOURCES, READING_SOURCES, WINDOW_SOURCES
from shared.text.report_row import ReportRow


def lines(report: Report, columns: int | None, program: str) -> Iterator[str]:
    session = report.session
    yield painted(f"Session {session.id}", "bold")
    yield from facts(_origin(report), columns)
    yield ""
    yield from facts([ReportRow("bridge", session.bridge), *_conversation(session)], columns)
    for subagent in report.subagents:
        yield from ("", painted(f"Subagent {subagent.id}", "bold"))
        yield from facts(_conversation(subagent), columns)
        yield f"  {safe(subagent.next_message)}"
    if report.findings:
        yield from ("", *finding.lines(report.findings, columns, program))
    yield from ("", painted(safe(session.next_message), "bold"))


def _origin(report: Report) -> Iterable[ReportRow]:
    yield ReportRow("transcript", report.session.transcript or "unknown")
    if report.version:
        yield ReportRow("client", f"{report.version}, in {report.directory}")
    yield ReportRow("project", report.project or "not found, so your own settings count")


def _conversation(conversation: Explanation) -> Iterator[ReportRow]:
    yield ReportRow("end", conversation.tail)
    reading = conversation.reading
    if reading is not None:
        size = f" of {reading.window:,} tokens" if reading.window is not None else ""
        tokens = f": {reading.tokens:,}{size}" if reading.tokens is not None else ""
        used = "an unknown part" if reading.used is None else f"{reading.used}%"
        window = f"window size: {WINDOW_SOURCES[reading.window_source]}"
        yield ReportRow("reading", f"{used} used, measured by {READING_SOURCES[reading.source]}{tokens} ({window})")
    if conversation.level:
        yield ReportRow("level", conversation.level)
    if conversation.limit is not None:
        source = LIMIT_SOURCES[conversation.limit.certainty]
        yield ReportRow("limit", f"{conversation.limit.tokens:,} tokens ({source})")
    if conversation.gate_limit is None:
        yield ReportRow("gate", "none: the next tool use starts the monitor")
    else:
        repeats = "" if conversation.level.startswith(Level.NORMAL.name) else ", but to repeat a message"
        below = (
            "at any fill" if conversation.gate_limit >= gate.NOWHERE else f"below {conversation.gate_limit:,} tokens"
        )
        silence = f"{below} nothing new is due, so the monitor isn't started{repeats}"
        yield ReportRow("gate", silence)
    yield ReportRow("messages", _messages(conversation))


def _messages(conversation: Explanation) -> str:
    if not conversation.notifications:
        return "the transcript has no message of ours"
    newest, count = conversation.notifications[0], len(conversation.notifications)
    return f"the transcript records {count} of our messages, the newest {newest.head} at {newest.timestamp}"
