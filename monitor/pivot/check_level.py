"""The pivot's check at a tool use and at a prompt. Most reach no threshold, so little is imported here."""

import msgspec

from monitor.hook import Message
from monitor.measuring.snapshot import Snapshot
from monitor.memory import memory as memories
from monitor.memory.memory import Memory
from monitor.memory.reminder import step
from monitor.pivot import state as states
from monitor.session import Conversation, Session
from shared.gauge.levels import PivotLevel


def check_level(snapshot: Snapshot, memory: Memory) -> Message | None:
    """Return the message on a threshold that a main conversation has just reached, or note the person's notice."""
    session, conversation, verdict = snapshot.session, snapshot.conversation, snapshot.verdict
    if not session.config.hooks.pivot or conversation.is_subagent:
        return None
    usage = states.session_usage(verdict.reading, session, memory.pivot_state.tool_calls + snapshot.uses)
    level = states.pivot_level(usage, verdict, session)
    if snapshot.uses == 0 and level >= verdict.pivots_from:
        return None  # the agent is told at its next tool use; thresholds below don't start a monitor there
    if level is PivotLevel.NORMAL and not memory.pivot.level and not snapshot.is_near_pivot:
        return None  # far from its thresholds this costs nothing
    memory.pivot_state = states.with_usage(memory.pivot_state, conversation.session_id, usage, session)
    memory.pivot, is_new = step(memory.pivot, level, snapshot.tail.answer_in_hand)
    if not is_new:
        return None
    reached = (threshold.name.lower() for threshold in PivotLevel if PivotLevel.NORMAL < threshold <= level)
    triggered = tuple(dict.fromkeys([*memory.pivot_state.thresholds_triggered, *reached]))
    memory.pivot_state = msgspec.structs.replace(memory.pivot_state, thresholds_triggered=triggered)
    if level < PivotLevel.ALERT:  # below it a threshold is only noted
        return None
    from monitor.pivot.announcement import announce  # noqa: PLC0415  rarely needed

    text = announce(snapshot, memory)
    return Message(text) if text and session.config.hooks.context_warnings else None


def count_unmeasured(conversation: Conversation, session: Session) -> None:
    """Count a tool use of an unmeasurable session, to guess its usage on request. Raises OSError, TimeoutError."""
    if not session.config.hooks.pivot or conversation.is_subagent:
        return
    with memories.locked(session.root, conversation.session_id) as lock:
        before = lock.memory.pivot_state
        usage = states.session_usage(None, session, before.tool_calls + 1)
        lock.memory.pivot_state = states.with_usage(before, conversation.session_id, usage, session)
