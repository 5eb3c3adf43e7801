"""At a session's start, also after a compaction: what the newest checkpoint says, for the work to go on."""

import os
from typing import Any

import msgspec

from monitor.checkpoints import client_process
from monitor.checkpoints.folder import StoredCheckpoint, folder_of, unacknowledged
from monitor.checkpoints.lost import facts, missing
from monitor.checkpoints.resumption import resume_command, resumption, unfinished
from monitor.hook import Reply
from monitor.measuring import run as runs
from monitor.measuring.measurement import tail_of
from monitor.measuring.run import Run
from monitor.prompts.compaction import said_since
from monitor.prompts.prompt import PromptMemory, read_memory, write_memory
from monitor.session import Conversation, Project, Session, project_of
from monitor.warnings import gate, reminders
from shared import files, paths, wording
from shared.lenient import text

_DAY = 24 * 3600
_FIRST_DRAW_SECONDS = 0.25
"""How long before this event the status line may have been drawn first: measured 2.1.197, 53 ms. What the run before
left is older: the client takes longer to start."""


class SessionStartEvent(msgspec.Struct, frozen=True):
    """SessionStart; a resumed session keeps its id, a cleared or forked one gets a new one."""

    session_id: str
    transcript_path: Any = None
    cwd: Any = None
    source: Any = "startup"
    agent_id: str | None = None


Event = SessionStartEvent


def handle(event: SessionStartEvent, session: Session) -> Reply | None:
    """The resumption of the session's own work, or one line on an earlier session's.

    The checkpoint is left unacknowledged: that is the alert's to do.
    """
    project = project_of(session, text(event.cwd))
    if event.agent_id is not None or not paths.is_id(event.session_id):
        return None
    if text(event.source) != "compact":
        session.attempt(_begin_run, event, session)
    found = None
    if project is not None and session.config.hooks.resumption:
        found = session.attempt(_choose, event, session, project)
    session.attempt(_remember, event, session, found)
    parts = [wording.TAKEN_BACK] if event.source == "compact" and _takes_back(event, session) else []
    if found is not None and project is not None:
        if found.checkpoint.session_info.session_id == event.session_id:
            whole = resumption(found.checkpoint, found.path, project)
            parts.append(session.attempt(_lost_resumption, event, found, project) or whole)
        else:
            parts.append(unfinished(found.checkpoint, resume_command(session, found.number)))
    return Reply(context="\n".join(parts)) if parts else None


def _takes_back(event: SessionStartEvent, session: Session) -> bool:
    """Whether the client may have kept a message of ours from before the compaction: with the last tool result."""
    return session.attempt(reminders.take_back, session.root, event.session_id) or False


def _lost_resumption(event: SessionStartEvent, found: StoredCheckpoint, project: Project) -> str:
    """The resumption without what the summary says already; empty where there is no summary."""
    summary = _summary(event, found)
    if not summary:
        return ""
    checkpoint = missing(found.checkpoint, summary)
    return resumption(checkpoint, found.path, project, facts(checkpoint))


def _summary(event: SessionStartEvent, found: StoredCheckpoint) -> str:
    """The client's, of what the session did until `found` was saved; empty where there is none.

    When a session is resumed, the client has written that; right after a compaction it writes it later (2.1.197 and
    2.1.330), but has told it before (monitor/hooks/subagent_stop.py).
    """
    seen, words = found.checkpoint.session_info.transcript_size, found.checkpoint.goal
    summary = said_since(text(event.transcript_path), seen).summary
    if not summary and event.source == "compact" and words is not None:
        summary = words.summary
    return summary


def _begin_run(event: SessionStartEvent, session: Session) -> None:
    """Have what an earlier run of the session left be only a memory: model, window and client may be others now.

    A session that isn't resumed and has no answer yet has had none: what it left is the status line's first draw.
    """
    gate.remove(session.root, event.session_id)
    tail = tail_of(Conversation(event.session_id, text(event.transcript_path)), session)
    had_run = event.source == "resume" or (tail is not None and (tail.answers or tail.compaction))
    runs.write(session.root, event.session_id, Run(session.now - _FIRST_DRAW_SECONDS) if had_run else Run())


def _choose(event: SessionStartEvent, session: Session, project: Project) -> StoredCheckpoint | None:
    """The newest unacknowledged checkpoint of this session, or, for one that begins, of an earlier session.

    A session that is still at work in another client keeps its own, and so does one that somebody has taken up: of
    another session only its newest one counts.
    """
    folder = folder_of(session, project)
    oldest = session.now - session.config.resumption.max_age_days * _DAY
    begins = text(event.source) not in {"compact", "resume"}
    client, passed = None, set[str]()
    for found in unacknowledged(folder):
        info = found.checkpoint.session_info
        if info.session_id == event.session_id:
            return found
        is_newest = info.session_id not in passed
        passed.add(info.session_id)
        if not begins or not is_newest or found.is_taken or found.modified < oldest:
            continue
        client = client or client_process.own(session.environ)
        if info.client is None or info.client == client or not client_process.is_alive(info.client):
            return found
    return None


def _remember(event: SessionStartEvent, session: Session, found: StoredCheckpoint | None) -> None:
    """Have the first prompt know from where on the transcript is new, and that the window was compacted."""
    known = read_memory(session.root, event.session_id)
    if event.source == "compact":
        memory = known or PromptMemory(size=max(0, files.size(text(event.transcript_path))))
        memory = msgspec.structs.replace(memory, is_compacted=True)
    elif known is not None or (event.source == "resume" and found is not None):
        return  # a compaction that nobody has been told of may lie behind what the memory, or the checkpoint, saw
    else:
        transcript = text(event.transcript_path)
        tail = tail_of(Conversation(event.session_id, transcript), session) if transcript else None
        is_foreign = found is not None and found.checkpoint.session_info.session_id != event.session_id
        offered = os.path.basename(found.path) if found is not None and is_foreign else ""
        memory = PromptMemory(tail.size if tail else 0, tail.tokens if tail else None, offered=offered)
    write_memory(session.root, event.session_id, memory)
