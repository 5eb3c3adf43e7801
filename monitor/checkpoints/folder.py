"""Where the checkpoints of a project lie: numbered, proven, found again, acknowledged, pruned.

The folder lies in a project, and so may come with a repository: whoever made that may have left links,
broken files and forged ones in it. Nothing is read or written through a link that leads out of the project,
and only what has our proof beside it is taken for ours: the rest can be listed, and that is all.
"""

import os
import re
import time
from collections.abc import Callable, Iterable, Iterator

import msgspec

from monitor.checkpoints import goal, proof
from monitor.checkpoints.checkpoint import Checkpoint, SessionInfo
from monitor.numbered_folder import NumberedFolder, numbered_folder
from monitor.session import Project, Session
from shared import client, files, lenient
from shared.boundary import attempt

DEFAULT = os.path.join(client.DIRECTORY, "tidegauge", "checkpoints")
_NAME = re.compile(r"cx-([0-9]{3,9})-checkpoint\.json")
PROOF, ACKNOWLEDGED, TAKEN = ".proof", ".acknowledged", ".resumed"
"""What follows a checkpoint's name in its proof, and in the mark that its own session was alerted of it, or that
another one took it up."""
_USED = re.compile(_NAME.pattern + f"(?:{re.escape(PROOF)}|{re.escape(ACKNOWLEDGED)}|{re.escape(TAKEN)})*")
"""Also what has a mark alone left, which would hide a new checkpoint of that number."""
_MOST_READ = 200
"""Checkpoints that are looked into, the newest: a folder may hold any number."""


class StoredCheckpoint(msgspec.Struct, frozen=True):
    """A checkpoint that was read, and the file that holds it."""

    path: str
    checkpoint: Checkpoint
    modified: float
    """Epoch seconds."""
    is_proven: bool = True
    """Whether it was written here; one that wasn't is never told to an agent, nor gone on from."""

    @property
    def name(self) -> str:
        return os.path.basename(self.path)

    @property
    def number(self) -> int:
        found = _NAME.fullmatch(self.name)
        return int(found[1]) if found else 0

    @property
    def is_taken(self) -> bool:
        return os.path.lexists(self.path + TAKEN)


class CheckpointFolder(NumberedFolder, frozen=True, kw_only=True):
    """The folder of one project's checkpoints."""

    root: str
    """Of the Tidegauge whose key proves them."""


def folder_of(session: Session, project: Project) -> CheckpointFolder:
    """The folder of a project's checkpoints. Raises OutsideProjectError."""
    found = numbered_folder(project, session.config.checkpoint.directory, DEFAULT)
    return CheckpointFolder(found.path, project, found.is_default, root=session.root)


def listed(folder: CheckpointFolder) -> Iterator[StoredCheckpoint]:
    """The project's checkpoints, the newest first, also those without proof; what cannot be read is passed over."""
    return _listed(folder, _numbers(folder.names()))


def newest(folder: CheckpointFolder) -> Iterator[StoredCheckpoint]:
    """Those of them that were written here."""
    return (found for found in listed(folder) if found.is_proven)


def unacknowledged(folder: CheckpointFolder) -> Iterator[StoredCheckpoint]:
    """Those of these that no alert has told of."""
    names = folder.names()
    numbers = [number for number in _numbers(names) if _name(number) + ACKNOWLEDGED not in names]
    return (found for found in _listed(folder, numbers) if found.is_proven)


def _listed(folder: CheckpointFolder, numbers: Iterable[int]) -> Iterator[StoredCheckpoint]:
    for number in sorted(numbers, reverse=True)[:_MOST_READ]:
        found = _read(folder, _name(number))
        if found and _is_of(folder.project, found.checkpoint.session_info):
            yield found


def add(folder: CheckpointFolder, make: Callable[[str, int], Checkpoint], keep: int) -> StoredCheckpoint:
    """Write the checkpoint that `make(id, number)` returns under the next free number. Raises OSError."""

    def take_number(number: int) -> int:
        files.create(os.path.join(folder.path, _name(number))).close()
        return number

    number = folder.add(_USED, take_number)
    path = os.path.join(folder.path, _name(number))
    return _fill(folder, path, make(f"cx-{number:03}", number), keep)


def acknowledge(found: StoredCheckpoint) -> None:
    """Note that a checkpoint's own session was alerted of it. Raises OSError."""
    _mark(found.path, ACKNOWLEDGED)


def take(folder: CheckpointFolder, name: str) -> None:
    """Note that another session has taken up the checkpoint in the file `name`. Raises OSError."""
    if _NAME.fullmatch(name) and os.path.exists(os.path.join(folder.path, name)):
        _mark(os.path.join(folder.path, name), TAKEN)


def _mark(path: str, mark: str) -> None:
    try:
        files.create(path + mark).close()
    except FileExistsError:
        pass


def _fill(folder: CheckpointFolder, path: str, checkpoint: Checkpoint, keep: int) -> StoredCheckpoint:
    goal_path = attempt("monitor", folder.root, _keep_goal, folder, path, checkpoint)
    written = msgspec.structs.replace(checkpoint, goal=None, goal_path=goal_path)
    data = msgspec.json.format(msgspec.json.encode(written), indent=2) + b"\n"
    is_proven = attempt("monitor", folder.root, _prove, folder, path, data) is not None
    try:
        files.write_atomic(path, data)
    except (OSError, ValueError):
        files.remove(path)
        files.remove(path + PROOF)
        files.remove(goal_path or "")
        raise
    for number in sorted(_numbers(folder.names()), reverse=True)[keep:]:
        for ending in ("", PROOF, ACKNOWLEDGED, TAKEN):
            files.remove(os.path.join(folder.path, _name(number)) + ending)
        files.remove(goal.path_of(folder.root, folder.project.directory, _name(number)))
    kept = msgspec.structs.replace(checkpoint, goal_path=goal_path)
    return StoredCheckpoint(path, kept, os.stat(path).st_mtime, is_proven)


def _keep_goal(folder: CheckpointFolder, path: str, checkpoint: Checkpoint) -> str | None:
    """Write the words beside the person's own things: a project's folder is no place for them."""
    if checkpoint.goal is None:
        return None
    goal_path = goal.path_of(folder.root, folder.project.directory, os.path.basename(path))
    goal.write(goal_path, checkpoint.goal, time.time())
    return goal_path


def _prove(folder: CheckpointFolder, path: str, data: bytes) -> bool:
    """Put the proof there before what it proves: whoever finds the one finds the other."""
    proven = proof.of(folder.root, folder.project.directory, os.path.basename(path), data)
    files.write_atomic(path + PROOF, proven)
    return True


def _numbers(names: frozenset[str]) -> list[int]:
    return [int(found[1]) for name in names if (found := _NAME.fullmatch(name))]


def _is_of(project: Project, info: SessionInfo) -> bool:
    """Whether a checkpoint is of `project`; one that we haven't written may say only where its session stood."""
    if info.project_directory:
        return info.project_directory == project.directory
    return os.path.isabs(info.working_directory) and project.holds(info.working_directory)


def _name(number: int) -> str:
    return f"cx-{number:03}-checkpoint.json"


def _read(folder: CheckpointFolder, name: str) -> StoredCheckpoint | None:
    path = os.path.join(folder.path, name)
    data = files.read_or_none(path)
    checkpoint = lenient.decode_or(data, Checkpoint, None) if data is not None else None
    if data is None or checkpoint is None:
        return None
    beside = files.read_or_none(path + PROOF)
    is_proven = beside is not None and proof.holds(folder.root, folder.project.directory, name, data, beside)
    if is_proven and checkpoint.goal_path:
        checkpoint = msgspec.structs.replace(checkpoint, goal=goal.read(checkpoint.goal_path))
    else:
        checkpoint = msgspec.structs.replace(checkpoint, goal=None)
    try:
        return StoredCheckpoint(path, checkpoint, os.lstat(path).st_mtime, is_proven)
    except OSError:
        return None
