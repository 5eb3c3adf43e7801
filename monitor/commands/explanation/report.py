"""The explanation of a session, as lines of text."""

from collections.abc import Iterator

from monitor.commands.diagnosis import lines
from monitor.commands.explanation.explain import Explanation, Report
from monitor.commands.terminal import painted, safe, width
from shared.levels import Level
from shared.quantities import counted
from shared.wording import LIMIT_SOURCES

_LABEL = 12


def text(report: Report) -> Iterator[str]:
    session = report.session
    yield painted(f"Session {session.id}", "bold")
    yield _row("transcript", session.transcript or "unknown")
    if report.version:
        yield _row("client", f"{report.version}, in {report.directory}{_running(report)}")
    yield _row("project", report.project or "not found, so your own settings count")
    yield ""
    yield _row("bridge", session.bridge)
    yield from _conversation(session)
    for subagent in report.subagents:
        yield ""
        yield painted(f"Subagent {subagent.id}", "bold")
        yield from _conversation(subagent)
        yield f"  {safe(subagent.next_message.sentence)}"
    if report.findings:
        yield ""
        yield from lines.of(report.findings, width())
    yield ""
    yield painted(safe(session.next_message.sentence), "bold")


def _running(report: Report) -> str:
    if not report.clients:
        return ""
    named = ", ".join(map(str, report.clients))
    return f" (a client runs there, perhaps this session's: process {named})"


def _conversation(one: Explanation) -> Iterator[str]:
    yield _row("end", one.tail)
    reading = one.reading
    if reading is not None:
        size = f" of {reading.window:,} tokens" if reading.window is not None else ""
        tokens = f": {reading.tokens:,}{size} (window: {reading.window_source})" if reading.tokens is not None else ""
        used = "an unknown part" if reading.used is None else f"{reading.used}%"
        yield _row("reading", f"{used} used according to the {reading.source}{tokens}")
    if one.level is not None:
        begins = ", ".join(f"{name} from {tokens:,}" for name, tokens in one.begins.items())
        yield _row("level", one.level + (f" ({begins} tokens)" if begins else ""))
    if one.limit is not None:
        yield _row("limit", f"{one.limit.tokens:,} tokens ({LIMIT_SOURCES[one.limit.certainty]})")
    yield _row("memory", _memory(one))
    yield _row("gate", one.gate)
    yield _row("told", _notified(one))


def _memory(one: Explanation) -> str:
    if one.remembered is None:
        return "none: no level has been reached yet"
    seen = one.remembered
    if not seen.level:
        return "NORMAL at the last tool use that was checked: re-armed"
    uses = counted(seen.silent, "tool use")
    away = one.next_message.away
    due = f"; the next message is due at tool use {away}" if away else ""
    return f"{Level(seen.level).name} at the last tool use, {uses} since the last message{due}"


def _notified(one: Explanation) -> str:
    if not one.notified:
        return "the transcript has no message of ours"
    newest = one.notified[0]
    return f"the transcript records {len(one.notified)} of our messages, the newest {newest.head} at {newest.timestamp}"


def _row(label: str, said: str) -> str:
    return f"  {painted(label.ljust(_LABEL), 'dim')} {safe(said)}"
