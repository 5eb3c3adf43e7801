"""The hook at a session's start, also after a compaction: what the newest checkpoint says, for the work to go on."""

from contextlib import suppress

import msgspec

from monitor import command_line
from monitor.checkpoints import client_process
from monitor.checkpoints.compaction import carried_over, missing
from monitor.checkpoints.folder import StoredCheckpoint, folder_of, newest
from monitor.checkpoints.save import with_present_state
from monitor.checkpoints.texts.resumption import resumption, resumption_after_summary, unfinished
from monitor.hook import HookEvent, Reply
from monitor.measuring import compaction_owner
from monitor.measuring.snapshot import tail_of
from monitor.memory import memory as memories
from monitor.memory.memory import PromptMemory, SavedLevel
from monitor.numbered_folder import OutsideProjectError
from monitor.session import Conversation, Project, Session, conversation_of, project_of
from shared import gate, paths
from shared.client.models import EARLIER_CLIENT, version_of
from shared.files import files, pruning
from shared.gauge import wording
from shared.project_files import ACKNOWLEDGED

_OFFERED_SECONDS = 7 * 24 * 3600
"""How long another session's checkpoint is offered."""
_FIRST_DRAW_SECONDS = 0.25
"""How long before this event the status line may have been drawn first: docs/client.md, "The status line". What the run
before left is older: the client takes longer to start."""


class SessionStartEvent(HookEvent):
    """SessionStart; a resumed session keeps its id, a cleared or forked one gets a new one."""

    source: str = "startup"


def handle(event: SessionStartEvent, session: Session) -> Reply | None:
    """The session's own resumption, or a line on an earlier session's. The checkpoint is the alert's to acknowledge."""
    project = project_of(session, event.cwd)
    conversation = conversation_of(event.session_id, event.transcript_path, event.agent_id)
    if conversation is None:
        return None
    is_own = session.attempt(compaction_owner.end, conversation, session) if event.source == "compact" else True
    if conversation.is_subagent:
        takes_back = event.source == "compact" and session.attempt(_begin_cycle, conversation, session)
        return Reply(context=wording.RETRACTION) if takes_back and session.config.hooks.context_warnings else None
    if is_own is False:
        return None
    if event.source != "compact":
        session.attempt(_restart, event, session)
    hooks = session.config.hooks
    result = session.attempt(_choose, event, session, project) if project and hooks.resumption else None
    if event.source == "resume" and project:
        session.attempt(_forget_elsewhere, event.session_id, session, project)
    takes_back = session.attempt(lambda: _remember(event, session, result, is_own=is_own))
    parts = [wording.RETRACTION] if takes_back and hooks.context_warnings else []
    if result is not None and project is not None:
        if result.checkpoint.session_info.session_id == event.session_id:
            if event.source == "resume":
                present = session.attempt(with_present_state, result.checkpoint, conversation, session, project)
                result = msgspec.structs.replace(result, checkpoint=present or result.checkpoint)
            whole = resumption(result.checkpoint, result.path, project, has_fill=hooks.context_warnings)
            text = session.attempt(_resumption_text, event, result, project, whole)
            parts += [whole if text is None else text]
        else:
            parts.append(unfinished(result.checkpoint, command_line.resume(session, result.number)))
    return Reply(context="\n".join(filter(None, parts))) if any(parts) else None


def _resumption_text(event: SessionStartEvent, stored: StoredCheckpoint, project: Project, whole: str) -> str:
    """The resumption without what the client's summary says already; empty where the window still has all of it.

    When a session is resumed, the client has written that; right after a compaction it writes it later (2.1.197 and
    2.1.330), but has told it before (monitor/hooks/subagent_stop.py). It brings back what hooks said in its last run.
    """
    since, words = stored.checkpoint.session_info.transcript_size, stored.checkpoint.words
    carried = carried_over(event.transcript_path, since)
    summary = carried.summary
    if not summary and event.source == "compact" and words is not None:
        summary = words.summary
    rest = resumption_after_summary(missing(stored.checkpoint, summary), stored.path, project) if summary else whole
    return "" if event.source == "resume" and rest in carried.resumption else rest


def _restart(event: SessionStartEvent, session: Session) -> None:
    """Have what an earlier run of the session left be only a memory: model, window and client may be others now.

    A session that isn't resumed and has no answer yet has had none: what it left is the status line's first draw.
    What sessions have left that ended long ago goes.
    """
    pruning.prune(paths.run_directory(session.root), session.now)
    gate.remove(session.root, event.session_id)
    conversation = Conversation(event.session_id, event.transcript_path)
    tail = tail_of(conversation, session)
    had_run = event.source == "resume" or tail.answers or tail.compaction
    client_process.begin_run(session, event.session_id, session.now - _FIRST_DRAW_SECONDS if had_run else 0.0)


def _forget_elsewhere(session_id: str, session: Session, project: Project) -> None:
    """Forget a checkpoint of another project, in which the session was: its number means nothing here."""
    with memories.locked(session.root, session_id) as lock:
        path, here = lock.memory.saved.path, set[str]()
        if path:
            with suppress(OutsideProjectError):  # then nothing can be saved here either
                here = {stored.path for stored in newest(folder_of(session, project))}
        if path not in here:
            lock.memory.saved = SavedLevel()


def _choose(event: SessionStartEvent, session: Session, project: Project) -> StoredCheckpoint | None:
    """The newest unacknowledged checkpoint of this session, or, for one that begins, of an earlier session.

    A session that is still at work in another client keeps its own, and so does one that somebody has taken up: of
    another session only its newest one counts. A fork goes on with the session that it comes from, and begins nothing.
    """
    folder = folder_of(session, project)
    oldest = session.now - _OFFERED_SECONDS
    begins = event.source not in {"compact", "resume", "fork"}
    client, passed = None, set[str]()
    for result in newest(folder, without=ACKNOWLEDGED):
        info = result.checkpoint.session_info
        if info.session_id == event.session_id:
            return result
        is_newest = info.session_id not in passed
        passed.add(info.session_id)
        if not begins or not is_newest or result.is_resumed or result.saved_at < oldest:
            continue
        client = client or client_process.own(session.environ)
        if info.client is None or info.client == client or not client_process.is_alive(info.client):
            return result
    return None


def _begin_cycle(agent: Conversation, session: Session) -> bool:
    """Note a subagent's compaction; whether a figure of ours may have survived it."""
    with memories.locked(session.root, agent.id) as lock:
        lock.memory.pass_over(tail_of(agent, session), files.size(agent.transcript))
        lock.memory.begin_cycle()
        return lock.memory.take_back()


def _remember(
    event: SessionStartEvent, session: Session, stored: StoredCheckpoint | None, *, is_own: bool | None
) -> bool:
    """Have the first prompt know from where on the transcript is new, and that the window was compacted.

    `is_own`: whether a compaction is the session's; None if nothing tells. Answers whether a figure of ours may have
    survived the compaction, with the last tool result or prompt.
    """
    conversation = Conversation(event.session_id, event.transcript_path)
    tail = tail_of(conversation, session)
    is_earlier = version_of(tail.client) == EARLIER_CLIENT
    with memories.locked(session.root, event.session_id) as lock:
        memory = lock.memory
        if event.source == "compact":
            # Where it may be a subagent's, the transcript tells at the next hook: only the compacted conversation's own
            # has the boundary.
            if is_own is None:
                return False
            before = memory.prompt or PromptMemory(size=max(0, files.size(event.transcript_path)))
            memory.prompt = msgspec.structs.replace(before, is_compacted=True)
            memory.pass_over(tail, files.size(event.transcript_path))
            memory.begin_cycle()
            has_outdated = memory.has_outdated
            # 2.1.197 puts what we say here before the message of a tool result that it keeps: the next hook says it
            # once more. A session at rest has called no tool: there it comes last.
            is_at_work = any(answer.calls for answer in tail.answers[:1])
            memory.has_outdated = has_outdated and is_earlier and is_at_work
            return has_outdated
        # A compaction that nobody has been told of may lie behind what the memory, or the checkpoint, saw.
        if memory.prompt is None and not (event.source == "resume" and stored is not None):
            is_foreign = stored is not None and stored.checkpoint.session_info.session_id != event.session_id
            offered = stored.name if stored and is_foreign else ""
            size = tail.size if files.size(event.transcript_path) >= 0 else -1
            memory.prompt = PromptMemory(size, tail.tokens, offered=offered)
    return False
