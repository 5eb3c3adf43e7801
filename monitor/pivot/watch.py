"""What the pivot does beside a tool use: it sees which level the session has, and has a new one told.

Most tool uses bring no new level, so little is imported here.
"""

from monitor.hook import Reply
from monitor.measuring.measurement import Measurement
from monitor.pivot import state as states
from monitor.pivot.crossing import Sighting, step
from monitor.pivot.level import PivotLevel, level_of
from monitor.pivot.usage import usage_of
from monitor.session import Conversation, Session


def watch(conversation: Conversation, session: Session, found: Measurement | None, cwd: str) -> Reply | None:
    """What is to be told with a tool use of a main session that was measured as `found`; None while nothing is new."""
    reading = found.reading if found else None
    with states.hold(session.root, conversation.session_id) as held:
        usage = usage_of(reading, session, held.state.tool_calls + 1)
        level = level_of(usage.percent, session.config.pivot.levels)
        if reading is None or level is not PivotLevel.NORMAL or held.state.session_start:
            held.state = states.measured(held.state, usage, session)
        held.crossing, is_new = step(held.crossing, _sighting(level, found))
    if not is_new:
        return None
    from monitor.pivot.telling import tell  # noqa: PLC0415  once in a long while

    return tell(conversation, session, reading, usage.tool_calls, cwd)


def _sighting(level: PivotLevel, found: Measurement | None) -> Sighting:
    tail = found.tail if found else None
    if tail is None:
        return Sighting(level)
    newest = tail.answers[0] if tail.answers else None
    return Sighting(
        level,
        answer=newest.id if newest and tail.holds_tool_use else "",
        compaction=tail.compaction.id if tail.compaction else "",
        offset=newest.offset if newest else 0,
        size=tail.size,
    )
