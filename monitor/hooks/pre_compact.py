"""The hook before a compaction: save a checkpoint, and tell the summariser what must survive."""

from monitor.checkpoints.save import describe, write
from monitor.checkpoints.texts.resumption import brief
from monitor.hook import HookEvent, Reply
from monitor.measuring import compaction_owner
from monitor.measuring.learning import learn
from monitor.measuring.snapshot import Snapshot, snapshot_of, tail_of
from monitor.session import Session, conversation_of, project_of


class PreCompactEvent(HookEvent):
    """PreCompact. The client itself adds what the person asks of the summary (`custom_instructions`)."""

    trigger: str = ""


def handle(event: PreCompactEvent, session: Session) -> Reply | None:
    """Return the brief, the client's instructions to the summariser (docs/client.md, "Exit codes and output").

    A subagent's compaction is ignored: its window is not the session's, and ends with the subagent.
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
        return None  # no answer since the last one: the client refuses, or that one's checkpoint still holds
    snapshot = session.attempt(snapshot_of, conversation, session)
    if snapshot is not None:
        session.attempt(learn, snapshot)
    verdict = snapshot.verdict if snapshot and not (trigger == "auto" and _is_outdated(snapshot)) else None
    checkpoint = describe(conversation, session, project, trigger, verdict)
    saved = session.attempt(write, checkpoint, session, project)
    text = brief(saved.checkpoint, saved.path, project) if saved else brief(checkpoint, None, project)
    return Reply(plain=text) if text else None


def _is_outdated(snapshot: Snapshot) -> bool:
    """Whether the window has filled since it was measured: at work, the client compacts only near the limit.

    A large result may have come since, or the client doesn't write what it continues with (docs/client.md, "Order and
    delay"). At rest, a large window is compacted long before its end.
    """
    left, answers = snapshot.verdict.tokens_left, snapshot.tail.answers
    return left is not None and left > compaction_owner.NEAR_TOKENS and any(answer.calls for answer in answers[:1])
