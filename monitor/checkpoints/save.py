"""Save a checkpoint: collect everything that can be known about a session, and write it down."""

import functools
import heapq
import itertools
import os
from datetime import UTC, datetime

import msgspec

from monitor.activity.activity import Activity
from monitor.activity.reader import activity_of
from monitor.checkpoints import client_process
from monitor.checkpoints.checkpoint import (
    BEFORE_COMPACTION,
    SCHEMA,
    Check,
    Checkpoint,
    ContextState,
    FileUse,
    SessionInfo,
)
from monitor.checkpoints.folder import StoredCheckpoint, add, folder_of
from monitor.checkpoints.project import git_status, orchestration
from monitor.checkpoints.project.git_status import Worktree
from monitor.checkpoints.transcript.words_of import words_of
from monitor.session import Conversation, Project, Session
from shared.files import files
from shared.gauge.levels import Level, fill_of
from shared.gauge.verdict import Verdict
from shared.secrets.masking import masked

_MOST_FILES, _MOST_CHECKS = 60, 20


def save(
    conversation: Conversation, session: Session, project: Project, trigger: str, verdict: Verdict | None
) -> StoredCheckpoint:
    """Write a checkpoint for `trigger`, without the parts that can't be read. Raises OSError, OutsideProjectError."""
    return write(describe(conversation, session, project, trigger, verdict), session, project)


def write(checkpoint: Checkpoint, session: Session, project: Project) -> StoredCheckpoint:
    """Write a described checkpoint. Raises OSError, OutsideProjectError."""
    return add(folder_of(session, project), checkpoint, session.config.checkpoint.keep)


def describe(
    conversation: Conversation,
    session: Session,
    project: Project,
    trigger: str,
    verdict: Verdict | None,
    *,
    activity: Activity | None = None,
) -> Checkpoint:
    """The checkpoint as it would be written, without a number; the session's `activity` is read unless given."""
    config = session.config
    activity = activity or session.attempt(activity_of, conversation, session) or Activity()
    words = session.attempt(words_of, activity, conversation.transcript) if config.checkpoint.include_prompts else None
    if words and trigger in BEFORE_COMPACTION:  # a new summary is about to be made, unless the compaction is cancelled
        words = msgspec.structs.replace(words, summary="", earlier_summary=words.summary)
    # After the person's words: a repository's file may take all the time that there is.
    flow = session.attempt(_orchestration, project, activity)
    state = session.attempt(_worktree, project, session.now) or Worktree()  # last: git gets the remaining time
    return Checkpoint(
        schema=SCHEMA,
        checkpoint_id="",
        timestamp=datetime.fromtimestamp(session.now, UTC).isoformat(timespec="seconds"),
        compaction_sequence=0,
        context_state=_context(verdict, trigger),
        session_info=_session_info(conversation, session, project, trigger, state),
        resumption_state=flow[1] if flow else None,
        orchestration_path=flow[0] if flow else None,
        files_edited=_most_used(activity.edited),
        files_read=_most_used(activity.read),
        dirty_files=tuple(map(masked, state.dirty)),
        dirty_count=state.count,
        failing_commands=activity.failures,
        checks=_checks(activity),
        commits=tuple(reversed(activity.commits)),
        done=tuple(task for task in activity.tasks.values() if task.state == "completed"),
        todo=tuple(activity.open_tasks),
        words=words,
        compacted_at=activity.compacted_at,
        summary_path=_summary(project, config.messages.summary_file),
    )


def with_present_state(
    checkpoint: Checkpoint, conversation: Conversation, session: Session, project: Project
) -> Checkpoint:
    """`checkpoint` with its session's present state; words from before a compaction stay, to compare with a summary."""
    activity, info = session.attempt(activity_of, conversation, session), checkpoint.session_info
    if activity is None or activity.offset < info.transcript_size:
        return checkpoint  # not the transcript from which it was made
    present = describe(conversation, session, project, info.trigger, None, activity=activity)
    words, digest = checkpoint.words, checkpoint.words_digest
    is_same_window = present.compacted_at == checkpoint.compacted_at
    if words and present.words and is_same_window and present.words != words and present.words.follow(words):
        words, digest = present.words, ""
    return msgspec.structs.replace(
        present,
        checkpoint_id=checkpoint.checkpoint_id,
        timestamp=checkpoint.timestamp,
        context_state=checkpoint.context_state,
        session_info=msgspec.structs.replace(present.session_info, transcript_size=info.transcript_size),
        words=words,
        words_path=checkpoint.words_path,
        words_digest=digest,
    )


@functools.lru_cache(1)
def _worktree(project: Project, now: float) -> Worktree:  # noqa: ARG001  identifies the event, which may need it several times
    return git_status.inspect(project.directory, project.working_directory)


def _context(verdict: Verdict | None, trigger: str) -> ContextState:
    """The reading, with the level that triggered the checkpoint, else the verdict's."""
    if verdict is None:
        return ContextState()
    reading = verdict.reading
    fill = fill_of(reading)
    if fill is None:
        return ContextState(None, reading.tokens, context_window_source=reading.window_source)
    level = Level.__members__.get(trigger.upper()) or verdict.level
    return ContextState(round(fill, 4), reading.tokens, level.name, reading.window, reading.window_source)


def _session_info(
    conversation: Conversation, session: Session, project: Project, trigger: str, state: Worktree
) -> SessionInfo:
    return SessionInfo(
        project_id=project.id,
        branch=masked(state.branch) if state.branch else None,
        working_directory=project.working_directory,
        session_id=conversation.session_id,
        trigger=trigger,
        project_directory=project.directory,
        transcript_path=conversation.transcript,
        transcript_size=files.size(conversation.transcript),
        head=state.head,
        operation=state.operation,
        client=session.attempt(client_process.own, session.environ),
    )


def _orchestration(project: Project, activity: Activity) -> tuple[str, object] | None:
    path = orchestration.path_in(project, [*activity.edited])
    text = orchestration.text_of(path) if path else None
    return (path, orchestration.resumption_of(text)) if path and text is not None else None


def _most_used(counts: dict[str, int]) -> tuple[FileUse, ...]:
    """The most used files first; among equals, the most recently used."""
    ranked = heapq.nlargest(_MOST_FILES, reversed(counts.items()), key=lambda item: item[1])
    return tuple(FileUse(masked(path), count) for path, count in ranked)


def _checks(activity: Activity) -> tuple[Check, ...]:
    newest = itertools.islice(reversed(activity.checks.items()), _MOST_CHECKS)
    return tuple(
        Check(name, activity.edits - last.edits, last.has_passed, activity.subagents > last.subagents)
        for name, last in newest
    )


def _summary(project: Project, name: str) -> str | None:
    """The path of the summary file, unless it is missing or a link that leads out of the project."""
    path = os.path.join(project.directory, name)
    return path if (os.path.isabs(name) or project.holds(path)) and os.path.exists(path) else None
