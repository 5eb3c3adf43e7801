"""The hook after a file is written: warn about an ORCHESTRATION.yaml whose state is older than the work.

Registered for the tools that write, besides the hook of every tool use, whose launcher may exit early.
"""

import os
from datetime import UTC, datetime

import msgspec

from monitor.checkpoints.folder import folder_of, newest
from monitor.checkpoints.project import orchestration
from monitor.hook import HookEvent, Reply, ToolInput
from monitor.session import Project, Session, project_of
from shared.files import files, lenient
from shared.transcript.line import line_in

_HEAD = 256 * 1024
"""Bytes at a transcript's beginning that hold its first timestamp."""


class StalenessEvent(HookEvent):
    """PostToolUse of a tool that writes files."""

    tool_input: ToolInput = msgspec.field(default_factory=ToolInput)


def handle(event: StalenessEvent, session: Session) -> Reply | None:
    """Return one line for each write that leaves the file stale."""
    name = event.tool_input.file_path
    is_ours = os.path.basename(name) == orchestration.NAME
    project = project_of(session, event.cwd) if is_ours and session.config.hooks.staleness else None
    if project is None:
        return None
    path = os.path.join(event.cwd, name)
    if os.path.islink(path) and not project.holds(path):
        return None
    updated = orchestration.updated_at(orchestration.text_of(path) or "")
    reference, checkpoint = _reference(project, event.transcript_path, session)
    if updated is None or reference is None or updated >= reference:
        return None
    return Reply(context=staleness(updated, reference, checkpoint))


def _reference(project: Project, transcript: str, session: Session) -> tuple[datetime | None, str | None]:
    """The newest checkpoint's time and id, else the transcript's first time and None, in whole seconds."""
    if result := next(newest(folder_of(session, project)), None):
        return datetime.fromtimestamp(int(result.saved_at), UTC), result.checkpoint.checkpoint_id
    lines = (files.beginning(transcript, _HEAD) or b"").split(b"\n")
    epochs = (lenient.seconds_of(line.timestamp) for data in lines if (line := line_in(data)))
    started = next((epoch for epoch in epochs if epoch is not None), None)
    return None if started is None else datetime.fromtimestamp(started, UTC), None


def staleness(updated_at: datetime, reference: datetime, checkpoint: str | None) -> str:
    """The warning; `checkpoint` is the id of the newer checkpoint, None for the session's start."""
    than = f"checkpoint {checkpoint}" if checkpoint else "the start of this session"
    stale, newer = (moment.isoformat(timespec="seconds") for moment in (updated_at, reference))
    return (
        f"ORCHESTRATION.yaml was written with a stale resumption section: its updated_at, {stale}, is older than"
        f" {than}, {newer}. A later session would resume from that older state; bringing the section and its updated_at"
        " up to date avoids this."
    )
