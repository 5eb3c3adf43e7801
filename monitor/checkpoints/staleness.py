"""Whether an ORCHESTRATION.yaml was written without its state being brought up to date."""

import os
import zlib
from datetime import UTC, datetime

import msgspec

from monitor.checkpoints import orchestration
from monitor.checkpoints.folder import folder_of, newest
from monitor.session import Project, Session, project_of
from shared import files, lenient, paths
from shared.transcript_line import line_in

_HEAD = 256 * 1024
"""Bytes at a transcript's beginning in which its first time stands."""


class _Written(msgspec.Struct):
    file_path: str = ""


class Reference(msgspec.Struct, frozen=True):
    """What the file's state should not be older than."""

    moment: datetime
    """In whole seconds, as such files are stamped."""
    checkpoint: str | None
    """The id of the checkpoint that was written then; None for the session's start."""


def staleness_warning(session_id: str, transcript: str, cwd: str, tool_input: bytes, session: Session) -> str:
    """What there is to say of a file that a tool has just written; empty when nothing is, or has been said."""
    path = _path(tool_input, cwd)
    project = project_of(session, cwd)
    if path is None or project is None or not paths.is_id(session_id):
        return ""
    if os.path.islink(path) and not project.holds(path):
        return ""
    text = orchestration.text_of(path)
    if text is None:
        return ""
    updated = orchestration.updated_at(text)
    reference = _reference(project, transcript, session)
    if updated is None or reference is None or updated >= reference.moment:
        return ""
    state = f"{path} {updated.isoformat()} {reference.moment.isoformat()}"
    if not _is_first(paths.staleness_mark(session.root, session_id, f"{zlib.crc32(state.encode()):08x}")):
        return ""
    return staleness(updated, reference.moment, reference.checkpoint)


def _path(tool_input: bytes, cwd: str) -> str | None:
    path = lenient.decode_or(tool_input, _Written, _Written()).file_path
    return os.path.join(cwd, path) if os.path.basename(path) == orchestration.NAME else None


def _reference(project: Project, transcript: str, session: Session) -> Reference | None:
    """The project's newest checkpoint, else the session's start."""
    found = next(newest(folder_of(session, project)), None)
    if found is not None:
        return Reference(datetime.fromtimestamp(int(found.modified), UTC), found.checkpoint.checkpoint_id)
    started = _started(transcript)
    return Reference(started.replace(microsecond=0), None) if started else None


def _started(transcript: str) -> datetime | None:
    """The first time that the transcript holds."""
    try:
        with open(files.open_regular(transcript), "rb") as file:
            head = file.read(_HEAD)
    except (OSError, ValueError):
        return None
    return next((stamp for line in head.split(b"\n") if (stamp := _stamp(line))), None)


def _stamp(data: bytes) -> datetime | None:
    line = line_in(data)
    try:
        stamp = datetime.fromisoformat(line.timestamp if line else "")
    except ValueError:
        return None
    return stamp if stamp.tzinfo else stamp.replace(tzinfo=UTC)


def _is_first(mark: str) -> bool:
    """Whether this process alone may say it: hooks of parallel calls run at the same time."""
    os.makedirs(os.path.dirname(mark), files.PRIVATE_DIRECTORY, exist_ok=True)
    try:
        files.create(mark).close()
    except FileExistsError:
        return False
    return True


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
