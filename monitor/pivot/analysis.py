"""The analysis of a session near its end: how full it is, how well it works, and what to do best."""

import msgspec

from monitor.activity.activity import Activity
from monitor.activity.reader import activity_of
from monitor.measuring.snapshot import tail_of
from monitor.memory.memory import PivotState
from monitor.pivot.decision import Complexity, Decision, complexity_of, decide
from monitor.pivot.patterns import find_all
from monitor.pivot.patterns.finding import Finding
from monitor.pivot.state import SessionUsage, pivot_level, session_usage
from monitor.session import Conversation, Session
from shared.gauge.levels import PivotLevel
from shared.gauge.verdict import Verdict


class Analysis(msgspec.Struct, frozen=True):
    usage: SessionUsage
    level: PivotLevel
    activity: Activity
    findings: tuple[Finding, ...]
    """The highest score first."""
    complexity: Complexity
    decision: Decision


def analyse(conversation: Conversation, session: Session, verdict: Verdict | None, state: PivotState) -> Analysis:
    """Analyse a session; `state` has the counts, which need no transcript."""
    reading = verdict.reading if verdict else None
    activity = activity_of(conversation, session)
    calls = max(activity.log.call_count, state.tool_calls)
    # Calls before a compaction, or on an abandoned branch, don't measure what is in the window now.
    is_awaited = bool(activity.compacted_at) or (reading is None and tail_of(conversation, session).tokens is not None)
    usage = session_usage(reading, session, calls, is_awaited=is_awaited)
    activity.log.measured_tokens = usage.tokens if reading else 0
    findings = find_all(activity.log)
    level, complexity = pivot_level(usage, verdict, session), complexity_of(activity)
    return Analysis(usage, level, activity, findings, complexity, decide(level, findings, complexity))
