"""The hook at a session's start and after a compaction: hand on the newest checkpoint, so that work can continue."""

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
"""Seconds for which another session's checkpoint is offered."""
_FIRST_DRAW_SECONDS = 0.25
"""Seconds by which the status line's first draw may precede this event: docs/client.md, "The status line". Files of the
previous run are older: the client takes longer to start."""


class SessionStartEvent(HookEvent):
    """SessionStart; a resumed session keeps its id, a cleared or forked one gets a new one."""

    source: str = "startup"


def handle(event: SessionStartEvent, session: Session) -> Reply | None:
    """Return the session's resumption, or a line on an earlier session's. The alert acknowledges the checkpoint."""
    project = project_of(session, event.cwd)
    conversation = conversation_of(event.session_id, event.transcript_path, event.agent_id)
    if conversation is None:
        return None
    is_own = session.attempt(compaction_owner.end, conversation, session) if event.source == "compact" else True
    if conversation.is_subagent:
        retracts = event.source == "compact" and session.attempt(_begin_cycle, conversation, session)
        return Reply(context=wording.RETRACTION) if retracts and session.config.hooks.context_warnings else None
    if is_own is False:
        return None
    if event.source != "compact":
        session.attempt(_restart, event, session)
    hooks = session.config.hooks
    result = session.attempt(_choose, event, session, project) if project and hooks.resumption else None
    if event.source == "resume" and project:
        session.attempt(_forget_elsewhere, event.session_id, session, project)
    retracts = session.attempt(lambda: _remember(event, session, result, is_own=is_own))
    parts = [wording.RETRACTION] if retracts and hooks.context_warnings else []
    if result is not None and project is not None:
        if result.checkpoint.session_info.session_id == event.session_id:
            saved, has_continued = result.checkpoint, False
            if event.source == "resume":
                present = session.attempt(with_present_state, saved, conversation, session, project) or saved
                size = files.size(event.transcript_path)
                has_continued = present is not saved and size > saved.session_info.transcript_size
                result = msgspec.structs.replace(result, checkpoint=present)
            has_fill = hooks.context_warnings
            whole = resumption(result.checkpoint, result.path, project, has_fill=has_fill, has_continued=has_continued)
            text = session.attempt(_resumption_text, event, result, project, whole)
            parts += [whole if text is None else text]
        else:
            parts.append(unfinished(result.checkpoint, command_line.resume(session, result.number)))
    return Reply(context="\n".join(filter(None, parts))) if any(parts) else None


def _resumption_text(event: SessionStartEvent, stored: StoredCheckpoint, project: Project, whole: str) -> str:
    """The resumption without what the client's summary already says; empty if the window still has all of it.

    In a resumed session the client has written the summary; after a compaction it writes it later (2.1.197, 2.1.330),
    but has passed it to a hook (monitor/hooks/subagent_stop.py). A resumed session brings back what hooks said before.
    """
    since, words = stored.checkpoint.session_info.transcript_size, stored.checkpoint.words
    carried = carried_over(event.transcript_path, since)
    summary = carried.summary
    if not summary and event.source == "compact" and words is not None:
        summary = words.summary
    rest = resumption_after_summary(missing(stored.checkpoint, summary), stored.path, project) if summary else whole
    return "" if event.source == "resume" and rest in carried.resumption else rest


def _restart(event: SessionStartEvent, session: Session) -> None:
    """Begin a new run of the session: its model, window and client may differ from those of the last one.

    A session that isn't resumed and has no answer has had no run: its files are from the status line's first draw.
    """
    pruning.prune(paths.run_directory(session.root), session.now)
    gate.remove(session.root, event.session_id)
    tail = tail_of(Conversation(event.session_id, event.transcript_path), session)
    had_run = event.source == "resume" or tail.answers or tail.compaction
    client_process.begin_run(session, event.session_id, session.now - _FIRST_DRAW_SECONDS if had_run else 0.0)


def _forget_elsewhere(session_id: str, session: Session, project: Project) -> None:
    """Forget a checkpoint saved while the session was in another project: its number means nothing here."""
    with memories.locked(session.root, session_id) as lock:
        path, here = lock.memory.saved.path, set[str]()
        if path:
            with suppress(OutsideProjectError):  # then nothing can be saved here either
                here = {stored.path for stored in newest(folder_of(session, project))}
        if path not in here:
            lock.memory.saved = SavedLevel()


def _choose(event: SessionStartEvent, session: Session, project: Project) -> StoredCheckpoint | None:
    """The newest unacknowledged checkpoint of this session or, for a new session, of an earlier one.

    Only an earlier session's newest checkpoint counts, and not if it was resumed or another client is still in that
    session. A fork continues the session that it comes from, so it isn't new.
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
        if not client_process.is_open(info.session_id, info.client, session.client_directory, client):
            return result
    return None


def _begin_cycle(agent: Conversation, session: Session) -> bool:
    """Note a subagent's compaction. Return whether a figure of ours may have survived it."""
    with memories.locked(session.root, agent.id) as lock:
        lock.memory.pass_over(tail_of(agent, session), files.size(agent.transcript))
        lock.memory.begin_cycle()
        return lock.memory.claim_retraction()


def _remember(
    event: SessionStartEvent, session: Session, stored: StoredCheckpoint | None, *, is_own: bool | None
) -> bool:
    """Note for the next prompt from which byte the transcript is new, and whether the window was compacted.

    `is_own`: whether a compaction is the session's; None if unknown. Return whether a figure of ours may have survived
    the compaction, with the last tool result or prompt.
    """
    tail = tail_of(Conversation(event.session_id, event.transcript_path), session)
    is_earlier = version_of(tail.client) == EARLIER_CLIENT
    with memories.locked(session.root, event.session_id) as lock:
        memory = lock.memory
        if event.source == "compact":
            # If it may be a subagent's, the transcript tells at the next hook: only that of the compacted conversation
            # has the boundary.
            if is_own is None:
                return False
            before = memory.prompt or PromptMemory(size=max(0, files.size(event.transcript_path)))
            memory.prompt = msgspec.structs.replace(before, is_compacted=True)
            memory.pass_over(tail, files.size(event.transcript_path))
            memory.begin_cycle()
            has_outdated = memory.has_outdated
            # 2.1.197 puts our text before the message of a tool result that it keeps, so the next hook repeats it.
            # A session at rest has called no tool: there our text comes last.
            is_at_work = any(answer.calls for answer in tail.answers[:1])
            memory.has_outdated = has_outdated and is_earlier and is_at_work
            return has_outdated
        # A compaction that wasn't reported may follow what the memory, or the checkpoint, saw.
        if memory.prompt is None and not (event.source == "resume" and stored is not None):
            is_foreign = stored is not None and stored.checkpoint.session_info.session_id != event.session_id
            offered = stored.name if stored and is_foreign else ""
            size = tail.size if files.size(event.transcript_path) >= 0 else -1
            memory.prompt = PromptMemory(size, tail.tokens, offered=offered)
    return False
