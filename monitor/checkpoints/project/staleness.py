"""Whether an ORCHESTRATION.yaml was written without its state being brought up to date."""

import os
import zlib
from datetime import UTC, datetime

import msgspec

from monitor.checkpoints.folder import folder_of, newest
from monitor.checkpoints.project import orchestration
from monitor.memory.memory import Memory
from monitor.session import Project, Session, project_of
from shared.files import files, lenient
from shared.transcript.line import line_in

_HEAD = 256 * 1024
"""Bytes at a transcript's beginning in which its first time stands."""
_MOST_STATES = 50
"""States that are remembered of a session."""


class _Written(msgspec.Struct):
    file_path: str = ""


def staleness_warning(transcript: str, cwd: str, tool_input: bytes, session: Session, memory: Memory) -> str:
    """The warning about a file that a tool has just written; empty where there is none, or it was given before."""
    path = _path(tool_input, cwd)
    project = project_of(session, cwd)
    if path is None or project is None:
        return ""
    if os.path.islink(path) and not project.holds(path):
        return ""
    text = orchestration.text_of(path)
    if text is None:
        return ""
    updated = orchestration.updated_at(text)
    reference, checkpoint = _reference(project, transcript, session)
    if updated is None or reference is None or updated >= reference:
        return ""
    state = f"{path} {updated.isoformat()} {reference.isoformat()}"
    digest = f"{zlib.crc32(state.encode()):08x}"
    if digest in memory.stale_files:
        return ""
    memory.stale_files = (*memory.stale_files, digest)[-_MOST_STATES:]
    return staleness(updated, reference, checkpoint)


def _path(tool_input: bytes, cwd: str) -> str | None:
    path = lenient.decode_or(tool_input, _Written, _Written()).file_path
    return os.path.join(cwd, path) if os.path.basename(path) == orchestration.NAME else None


def _reference(project: Project, transcript: str, session: Session) -> tuple[datetime | None, str | None]:
    """When the project's newest checkpoint was written, and its id; without one, when the session started.

    In whole seconds, as such files are stamped.
    """
    result = next(newest(folder_of(session, project)), None)
    moment = _started(transcript) if result is None else result.modified
    checkpoint = result.checkpoint.checkpoint_id if result else None
    return None if moment is None else datetime.fromtimestamp(int(moment), UTC), checkpoint


def _started(transcript: str) -> float | None:
    """The first time that the transcript holds, in epoch seconds."""
    try:
        with open(files.open_regular(transcript), "rb") as file:
            head = file.read(_HEAD)
    except (OSError, ValueError):
        return None
    epochs = (lenient.epoch_of(line.timestamp) for data in head.split(b"\n") if (line := line_in(data)))
    return next((epoch for epoch in epochs if epoch is not None), None)


def staleness(updated_at: datetime, reference: datetime, checkpoint: str | None) -> str:
    """One line; `checkpoint` is the id of the one that is newer, None where it is the session's start."""
    than = f"checkpoint {checkpoint}" if checkpoint else "the start of this session"
    return (
        f"ORCHESTRATION.yaml was written with a stale resumption section: its updated_at, {_time(updated_at)}, is older"
        f" than {than}, {_time(reference)}. A later session would resume from that older state; bringing the section"
        " and its updated_at up to date avoids this."
    )


def _time(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds")
