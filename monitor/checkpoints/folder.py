"""The folder of a project's checkpoints, which are numbered, proven, acknowledged and pruned.

It may come with a repository, whose author may have put links, broken files and forged ones in it. Nothing is read or
written through a link that leads out of the project, and only a checkpoint with our proof next to it counts as ours:
others can only be listed.
"""

import functools
import itertools
import os
import re
import time
from collections.abc import Iterator
from contextlib import suppress

import msgspec

from monitor.checkpoints import proof, words
from monitor.checkpoints.checkpoint import Checkpoint, SessionInfo, decode
from monitor.numbered_folder import NumberedFolder, numbered_folder
from monitor.session import Project, Session
from shared.files import files, lenient
from shared.files.directory import Directory
from shared.process.boundary import attempt
from shared.project_files import ACKNOWLEDGED, CHECKPOINT_NAME, CHECKPOINTS, PROOF, RESUMED

_NAME = re.compile(CHECKPOINT_NAME)
_USED = re.compile(_NAME.pattern + f"(?:{re.escape(PROOF)}|{re.escape(ACKNOWLEDGED)}|{re.escape(RESUMED)})*")
"""Names in use, including a mark without its checkpoint, which would hide a new one of that number."""
_MOST_READ = 2_000
"""Checkpoints that are read, the newest: a folder may hold any number, not all of them ours."""
_MOST_FOREIGN = 16 << 20
"""Bytes read of foreign checkpoints. Beyond either limit, only those whose words we have are read: a repository may
bring as many as it likes, but they can't hide ours.
"""


class StoredCheckpoint(msgspec.Struct, frozen=True):
    path: str
    checkpoint: Checkpoint
    saved_at: float
    """Epoch seconds: the file's time, or the checkpoint's own if it is ours and earlier."""
    is_proven: bool
    """Whether it was written here; if not, it is never shown to an agent and can't be resumed."""

    @property
    def name(self) -> str:
        return os.path.basename(self.path)

    @property
    def number(self) -> int:
        match = _NAME.fullmatch(self.name)
        return int(match[1]) if match else 0

    @property
    def is_resumed(self) -> bool:
        return os.path.lexists(self.path + RESUMED)


class CheckpointFolder(NumberedFolder, frozen=True, kw_only=True):
    root: str
    """The root of the installation whose key proves the checkpoints."""


def folder_of(session: Session, project: Project) -> CheckpointFolder:
    """The folder of a project's checkpoints. Raises OutsideProjectError."""
    result = numbered_folder(project, session.config.checkpoint.directory, CHECKPOINTS)
    return CheckpointFolder(result.path, project, result.is_default, result.is_outside, root=session.root)


def newest(folder: CheckpointFolder, *, without: str = "", has_foreign: bool = False) -> Iterator[StoredCheckpoint]:
    """The readable checkpoints, newest first, without those marked `without`; `has_foreign` adds unproven ones."""
    if folder.names():
        with folder.opened() as directory:
            yield from _read(folder, directory, without, has_foreign=has_foreign)


def add(folder: CheckpointFolder, checkpoint: Checkpoint, keep: int) -> StoredCheckpoint:
    """Write `checkpoint` under the next free number. Raises OSError, OutsideProjectError."""
    write = functools.partial(_write, folder, checkpoint, keep)
    return folder.add(_USED, write, lambda directory: (stored.number for stored in _read(folder, directory)))


def mark(folder: CheckpointFolder, name: str, ending: str) -> None:
    """Give the checkpoint in the file `name` the mark ACKNOWLEDGED or RESUMED. Raises OSError."""
    if not _NAME.fullmatch(name) or name not in folder.names():
        return
    with folder.opened() as directory, suppress(FileExistsError):
        directory.create(name + ending).close()


def _write(
    folder: CheckpointFolder, checkpoint: Checkpoint, keep: int, directory: Directory, number: int
) -> StoredCheckpoint:
    name = _name(number)
    directory.create(name).close()
    words_path = attempt("monitor", folder.root, _save_words, folder, name, checkpoint)
    written = msgspec.structs.replace(
        checkpoint,
        checkpoint_id=f"cx-{number:03}",
        compaction_sequence=number,
        words=None,
        words_path=words_path,
        words_digest=words.digest_of(checkpoint.words) if checkpoint.words and words_path else "",
    )
    data = msgspec.json.format(lenient.encode(written), indent=2) + b"\n"
    is_proven = attempt("monitor", folder.root, _prove, folder, directory, name, data) is not None
    try:
        directory.write_atomic(name, data)
    except (OSError, ValueError):
        directory.remove(name)
        directory.remove(name + PROOF)
        files.remove(words_path or "")
        raise
    for older in itertools.islice(_read(folder, directory), keep, None):
        for ending in ("", PROOF, ACKNOWLEDGED, RESUMED):
            directory.remove(older.name + ending)
        files.remove(_words_path(folder, older.name))
    stored = msgspec.structs.replace(written, words=checkpoint.words)
    return StoredCheckpoint(os.path.join(folder.path, name), stored, directory.status(name).st_mtime, is_proven)


def _save_words(folder: CheckpointFolder, name: str, checkpoint: Checkpoint) -> str | None:
    """Write the words to the person's own data directory, as a project's folder isn't private."""
    if checkpoint.words is None:
        return None
    words_path = _words_path(folder, name)
    words.write(words_path, checkpoint.words, time.time())
    return words_path


def _prove(folder: CheckpointFolder, directory: Directory, name: str, data: bytes) -> bool:
    """Write the proof before the checkpoint, so that a reader of the checkpoint finds both."""
    directory.write_atomic(name + PROOF, proof.of(folder.root, folder.project.directory, name, data))
    return True


def _is_of(project: Project, info: SessionInfo) -> bool:
    """Whether a checkpoint belongs to `project`; a foreign one may name only its session's directory."""
    if info.project_directory:
        return info.project_directory == lenient.storable(project.directory)
    return os.path.isabs(info.working_directory) and project.holds(info.working_directory)


def _name(number: int) -> str:
    return f"cx-{number:03}-checkpoint.json"


def _read(
    folder: CheckpointFolder, directory: Directory, without: str = "", *, has_foreign: bool = False
) -> Iterator[StoredCheckpoint]:
    """The checkpoints in the open folder, as in `newest`. Foreign ones are decoded only with `has_foreign`."""
    names, room = directory.names(), _MOST_FOREIGN
    numbers = (int(match[1]) for match in map(_NAME.fullmatch, names) if match)
    newest_first = map(_name, sorted(numbers, reverse=True))
    unmarked = (name for name in newest_first if not without or name + without not in names)
    for count, name in enumerate(unmarked, 1):
        if (count > _MOST_READ or room < 0) and not (
            name + PROOF in names and os.path.lexists(_words_path(folder, name))
        ):
            continue
        data, proven = directory.read_or_none(name) or b"", directory.read_or_none(name + PROOF) or b""
        is_proven = proof.holds(folder.root, folder.project.directory, name, data, proven)
        room -= 0 if is_proven else len(data) + len(proven)
        stored = _decoded(folder, directory, name, data, is_proven=is_proven) if is_proven or has_foreign else None
        if stored and (stored.is_proven or has_foreign) and _is_of(folder.project, stored.checkpoint.session_info):
            yield stored


def _decoded(
    folder: CheckpointFolder, directory: Directory, name: str, data: bytes, *, is_proven: bool
) -> StoredCheckpoint | None:
    checkpoint = decode(data)
    if checkpoint is None:
        return None
    try:
        saved_at = directory.status(name).st_mtime
    except OSError:
        return None
    if is_proven:  # but not if it was put back, with its proof, after its removal or the reuse of its number
        written_at = lenient.epoch_of(checkpoint.timestamp)
        age = 0.0 if written_at is None else time.time() - written_at
        is_proven = not words.is_outdated(_words_path(folder, name), checkpoint.words_digest, age)
        saved_at = min(saved_at, written_at or saved_at)
    own = words.read(checkpoint.words_path, checkpoint.words_digest) if is_proven and checkpoint.words_path else None
    checkpoint = msgspec.structs.replace(checkpoint, words=own)
    return StoredCheckpoint(os.path.join(folder.path, name), checkpoint, saved_at, is_proven)


def _words_path(folder: CheckpointFolder, name: str) -> str:
    return words.path_of(folder.root, folder.project.directory, name)
