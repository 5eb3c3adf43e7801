"""The hook at the end of the agent's turn: save a session that its last answer has filled, even in a single prompt."""

import time

import msgspec

from monitor.checkpoints.at_level import save_at_level
from monitor.hook import HookEvent, Reply
from monitor.measuring.snapshot import LAG_SECONDS, snapshot_of
from monitor.memory import memory as memories
from monitor.session import Session, conversation_of
from shared.gauge.levels import Level


def handle(event: HookEvent, session: Session) -> Reply | None:
    """Return None: anything to say comes with the next prompt."""
    conversation = conversation_of(event.session_id, event.transcript_path, event.agent_id)
    if conversation is None or conversation.is_subagent:
        return None
    # The client writes the answer that ended the turn late. Far from a level the launcher doesn't start us.
    time.sleep(LAG_SECONDS)
    snapshot = snapshot_of(conversation, session)
    is_remembered = memories.exists(session.root, conversation.id)
    if snapshot is not None and (snapshot.level >= Level.CRITICAL or is_remembered):
        with memories.locked(session.root, conversation.id) as lock:
            if lock.memory.observe(snapshot.tail, conversation.transcript):
                save_at_level(msgspec.structs.replace(snapshot, working_directory=event.cwd), lock)
    return None
