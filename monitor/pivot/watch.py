"""What the pivot does beside a tool use: it sees which level the session has, and has a new one told.

Most tool uses bring no new level, so little is imported here.
"""

from monitor.measuring.measurement import Measurement
from monitor.pivot import state as states
from monitor.session import Conversation, Session
from monitor.warnings.reminders import observed, step
from shared.levels import PivotLevel


def watch(conversation: Conversation, session: Session, found: Measurement | None, cwd: str) -> str:
    """What is to be told with a tool use of a main session that was measured as `found`; empty while nothing is new."""
    verdict = found.verdict if found else None
    reading = verdict.reading if verdict else None
    with states.hold(session.root, conversation.session_id) as held:
        usage = states.session_usage(reading, session, held.state.tool_calls + 1)
        level = states.pivot_level(usage, verdict, session)
        if reading is None or level is not PivotLevel.NORMAL or held.state.session_start:
            held.state = states.measured(held.state, usage, session)
        seen = observed(level, found.tail if found else None)
        held.reminder, is_new = step(held.reminder, seen, None)
    if not is_new:
        return ""
    from monitor.pivot.telling import tell  # noqa: PLC0415  once in a long while

    return tell(conversation, session, verdict, usage.tool_calls, cwd)
