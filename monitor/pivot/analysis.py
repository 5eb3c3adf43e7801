"""Everything that can be said of a session near its end: how full, how well, and what is best done."""

import msgspec

from monitor import transcript_activity
from monitor.activity import Activity
from monitor.pivot.complexity import Complexity, complexity_of
from monitor.pivot.decision import Decision, decide
from monitor.pivot.level import PivotLevel, level_of, percent_of
from monitor.pivot.patterns import find_all
from monitor.pivot.patterns.finding import Finding
from monitor.session import Conversation, Session
from shared import window
from shared.reading import Reading

TOKENS_PER_CALL = 500
"""What a tool call is taken for where nothing was measured."""


class Usage(msgspec.Struct, frozen=True):
    """How much of the window is in use."""

    percent: float
    """0 to 100."""
    tokens: int
    window: int
    """Tokens; the standard size where it is not known."""
    source: str
    """`bridge`, `transcript` or `tool_calls`."""
    tool_calls: int
    """Of the whole session, as far as they were seen."""
    sampled_at: float
    """Epoch seconds."""


class Analysis(msgspec.Struct, frozen=True):
    """What was found."""

    usage: Usage
    level: PivotLevel
    activity: Activity
    findings: tuple[Finding, ...]
    """The highest score first."""
    complexity: Complexity
    decision: Decision


def analyse(
    conversation: Conversation, session: Session, reading: Reading | None, tool_calls: int | None = None
) -> Analysis:
    """Analyse a session; `tool_calls` is how many are known of beside those in its transcript."""
    settings = session.config.pivot
    activity = activity_of(conversation, session)
    usage = usage_of(reading, session, max(activity.history.tool_calls, tool_calls or 0))
    activity.history.measured_tokens = usage.tokens if reading is not None else 0
    findings = find_all(activity.history, settings.patterns)
    complexity = complexity_of(activity)
    decision = decide(usage.percent, findings, complexity, settings.levels)
    return Analysis(usage, level_of(usage.percent, settings.levels), activity, findings, complexity, decision)


def activity_of(conversation: Conversation, session: Session) -> Activity:
    """What the session has done; nothing where its transcript cannot be read."""
    try:
        return transcript_activity.read(session.root, conversation.session_id, conversation.transcript)
    except (OSError, ValueError):
        return Activity()


def usage_of(reading: Reading | None, session: Session, tool_calls: int) -> Usage:
    """What `reading` says; without one, a guess from the number of tool calls."""
    size = (reading.window if reading else None) or session.config.window.size or window.STANDARD
    if reading is None:
        tokens = TOKENS_PER_CALL * tool_calls
        return Usage(min(100.0, 100 * tokens / size), tokens, size, "tool_calls", tool_calls, session.now)
    percent = percent_of(reading)
    tokens = reading.tokens if reading.tokens is not None else round(percent * size / 100)
    return Usage(percent, tokens, size, reading.source, tool_calls, reading.sampled_at)
