"""Before a compaction: writes a checkpoint, and tells the summariser what must survive."""

from monitor.checkpoints.save import save
from monitor.checkpoints.texts.resumption import brief
from monitor.hook import HookEvent, Reply
from monitor.measuring import compaction_owner
from monitor.measuring.learning import learn
from monitor.measuring.snapshot import Snapshot, snapshot_of, tail_of
from monitor.session import Session, conversation_of, project_of


class PreCompactEvent(HookEvent):
    """PreCompact. What the person asks of the summary (`custom_instructions`) the client adds itself."""

    trigger: str = ""


def handle(event: PreCompactEvent, session: Session) -> Reply | None:
    """The brief, which the client takes as instructions to the summariser (docs/client.md, "Exit codes and output").

    A subagent's compaction is left alone: its window is not the session's, and ends with it.
    """
    conversation = conversation_of(event.session_id, event.transcript_path, event.agent_id)
    project = project_of(session, event.cwd)
    if conversation is None or project is None or not session.config.hooks.checkpoint:
        return None
    trigger = "manual" if event.trigger == "manual" else "auto"
    is_own = session.attempt(compaction_owner.begin, conversation, session, trigger)
    if conversation.is_subagent or is_own is False:
        return None
    if trigger == "manual" and not tail_of(conversation, session).answers:
        return None  # nothing was answered since the last one: the client refuses it, or its checkpoint still holds
    snapshot = session.attempt(snapshot_of, conversation, session)
    if snapshot is not None:
        session.attempt(learn, snapshot)
    verdict = snapshot.verdict if snapshot and not (trigger == "auto" and _is_outdated(snapshot)) else None
    saved = save(conversation, session, project, trigger, verdict)
    return Reply(plain=brief(saved.checkpoint, saved.path, project))


def _is_outdated(snapshot: Snapshot) -> bool:
    """Whether a window has filled since it was measured: at work, none is compacted that has much room left.

    A large result may have come since, or the client doesn't write what it goes on with (docs/client.md, "Order and
    delay"). At rest a large one is compacted long before its end.
    """
    left, answers = snapshot.verdict.tokens_left, snapshot.tail.answers
    return left is not None and left > compaction_owner.NEAR_TOKENS and any(answer.calls for answer in answers[:1])
