"""The hook at the end of the agent's turn: saves a session that its last answer has filled, also in a single prompt."""

import time

import msgspec

from monitor.checkpoints.at_level import save_at_level
from monitor.hook import HookEvent, Reply
from monitor.measuring.snapshot import LAG_SECONDS, STEP_SECONDS, snapshot_of
from monitor.memory import memory as memories
from monitor.session import Session, conversation_of
from shared.gauge.levels import Level
from shared.transcript import jsonl

_END = 256 << 10
"""Bytes of the transcript in which the newest answer is looked for."""
_WORDS = 60
"""Characters of it."""


class StopEvent(HookEvent):
    last_assistant_message: str = ""


def handle(event: StopEvent, session: Session) -> Reply | None:
    """Silence: what there is to say comes with the next prompt."""
    conversation = conversation_of(event.session_id, event.transcript_path, event.agent_id)
    if conversation is None or conversation.is_subagent:
        return None
    _wait_for(event.last_assistant_message, conversation.transcript)
    snapshot = snapshot_of(conversation, session)
    is_remembered = memories.exists(session.root, conversation.id)
    if snapshot is not None and (snapshot.level >= Level.CRITICAL or is_remembered):
        with memories.locked(session.root, conversation.id) as lock:
            if lock.memory.observe(snapshot.tail, conversation.transcript):
                save_at_level(msgspec.structs.replace(snapshot, working_directory=event.cwd), lock)
    return None


def _wait_for(answer: str, transcript: str) -> None:
    """Wait a bounded time until the transcript, which the client writes late, holds the answer that ended the turn.

    Far from a level nobody waits: the launcher doesn't start us there.
    """
    words = msgspec.json.encode(answer[:_WORDS])[1:-1]
    deadline = time.monotonic() + LAG_SECONDS
    while not any(jsonl.newest_first(transcript, [words], _END)) and time.monotonic() < deadline:
        time.sleep(STEP_SECONDS)
