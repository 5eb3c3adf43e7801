"""The hook after every tool use, including a failed one: run the speakers on a snapshot."""

from functools import partial

import msgspec

from monitor.checkpoints.at_level import save_at_level
from monitor.hook import HookEvent, Message, Reply
from monitor.measuring.learning import learn
from monitor.measuring.snapshot import Snapshot, snapshot_of
from monitor.memory import memory as memories
from monitor.memory.memory import LARGE_BYTES, LockedMemory, Memory
from monitor.pivot.check_level import check_level, count_unmeasured
from monitor.session import Conversation, Session, conversation_of
from monitor.speakers.level import cadence, frame, is_due, most_messages, report_level
from monitor.speakers.notification import notify
from monitor.speakers.rate_limits import news_of, report_limits
from shared import gate
from shared.gate import Bound
from shared.gauge.levels import Level
from shared.gauge.verdict import largest_turn
from shared.process.boundary import report
from shared.transcript import records

SPEAKERS = (report_level, report_limits, check_level, notify)
"""The speakers at a tool use, in the order in which the agent reads their messages."""


class PostToolUseEvent(HookEvent):
    """PostToolUse, or PostToolUseFailure, whose `error` takes the place of the response."""

    tool_use_id: str = ""
    permission_mode: str = ""
    tool_response: msgspec.Raw = msgspec.Raw(b"")
    error: msgspec.Raw = msgspec.Raw(b"")

    @property
    def result_bytes(self) -> int:
        """Bytes of the tool result, or of the error in its place, as text, which no answer has counted yet."""
        return records.result_bytes(bytes(self.tool_response)) + len(bytes(self.error))


def handle(event: PostToolUseEvent, session: Session) -> Reply | None:
    hooks = session.config.hooks
    conversation = conversation_of(event.session_id, event.transcript_path, event.agent_id)
    if conversation is None or not (
        hooks.context_warnings or hooks.checkpoint or hooks.pivot or hooks.desktop_notification
    ):
        return None
    memory = memories.read(session.root, conversation.id)
    snapshot = session.attempt(_snapshot, event, conversation, session, memory)
    if snapshot is None:
        session.attempt(count_unmeasured, conversation, session)
        return None
    if snapshot.is_instructive:
        session.attempt(learn, snapshot)
    messages = session.attempt(_messages, snapshot, memory)
    if not messages:
        return None
    context = "\n".join(message.context for message in messages if message.context)
    if any(message.is_warning for message in messages):  # its frame encloses the other messages
        context = frame(context)
    return Reply(context, terminal="".join(message.terminal for message in messages))


def _snapshot(event: PostToolUseEvent, conversation: Conversation, session: Session, memory: Memory) -> Snapshot | None:
    uses, passed_bytes = gate.notes(session.root, conversation.id)
    snapshot = snapshot_of(
        conversation,
        session,
        event.tool_use_id,
        event.result_bytes,
        pending_bytes=max(passed_bytes, memory.pending_bytes),
        is_due=partial(is_due, memory.level, uses),
        prepare=partial(_prepare, session, memory),
    )
    return snapshot and msgspec.structs.replace(
        snapshot,
        is_planning=event.permission_mode == "plan",
        working_directory=event.cwd,
        tool_use_id=event.tool_use_id,
    )


def _prepare(session: Session, memory: Memory) -> None:
    """Import what the level that may come needs, while the snapshot waits anyway: some 20 ms."""
    hooks = session.config.hooks
    late = {"monitor.pivot.announcement": hooks.pivot, "monitor.checkpoints.save": hooks.checkpoint}
    for module, is_on in late.items():
        if is_on and memory.level.level < Level.EXHAUSTED:
            session.attempt(__import__, module)


def _messages(snapshot: Snapshot, memory: Memory) -> list[Message]:
    """Run the speakers under the lock of the conversation's memory, which was read as `memory` before."""
    session = snapshot.session
    is_calm = snapshot.verdict.level is Level.NORMAL and snapshot.result_bytes < LARGE_BYTES and memory.is_at_rest
    # Nothing to say and nothing to remember: no speaker needs to run.
    if is_calm and not (snapshot.is_near_pivot or (snapshot.bridge and news_of(snapshot, memory))):
        _renew_gate(snapshot, memory)
        return []
    try:
        with memories.locked(session.root, snapshot.conversation.id) as lock:
            return _speak(snapshot, lock)
    except TimeoutError as problem:  # a parallel call of the same answer has the lock
        report("monitor", session.root, problem)
        return []
    except OSError as problem:  # home can't be written to: better repeat than stay silent
        report("monitor", session.root, problem)
        return _speak(snapshot, LockedMemory())


def _speak(snapshot: Snapshot, lock: LockedMemory) -> list[Message]:
    session, memory = snapshot.session, lock.memory
    if not memory.observe(snapshot.tail, snapshot.conversation.transcript):
        return []
    snapshot = msgspec.structs.replace(snapshot, uses=gate.take_uses(session.root, snapshot.conversation.id))
    session.attempt(save_at_level, snapshot, lock)
    messages = [message for speak in SPEAKERS if (message := session.attempt(speak, snapshot, memory))]
    memory.pending_bytes = snapshot.result_bytes if snapshot.result_bytes >= LARGE_BYTES else 0
    session.attempt(_renew_gate, snapshot, memory)
    return messages


def _renew_gate(snapshot: Snapshot, memory: Memory) -> None:
    """Write the gate that keeps the launcher silent until something can be due, or remove it. Raises OSError."""
    session, conversation, name = snapshot.session, snapshot.conversation, snapshot.conversation.id
    verdict, tail, config = snapshot.verdict, snapshot.tail, snapshot.session.config
    tokens, written = verdict.reading.tokens, tail.tokens
    if written is None or tokens is None or verdict.reading.window is None:
        gate.remove(session.root, name)
        return
    pivot = config.pivot.levels if config.hooks.pivot and not conversation.is_subagent else None
    is_normal = verdict.level is Level.NORMAL
    bound = Bound(
        max(tokens, written),
        gate.due_at(verdict, config.levels, pivot),
        largest_turn(tail.answers),
        # No event tells the launcher that a plan has been approved.
        None if is_normal else memory.level.quiet_uses(cadence(snapshot, is_planning=False), most_messages(snapshot)),
        is_at_level=bool(memory.level.level or memory.pivot.level),
        result_bytes=snapshot.result_bytes,
        tool_use_id=snapshot.tool_use_id,
    )
    gate.write(
        session.root,
        name,
        conversation.transcript,
        tail,
        bound,
        project=session.project,
        environ=session.environ,
        now=session.now,
    )
