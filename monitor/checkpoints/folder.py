"""Where the checkpoints of a project lie: numbered, found again, acknowledged, pruned.

The folder lies in a project, and so may come with a repository: whoever made that may have left links,
broken files and forged ones in it. Nothing is read or written through a link that leads out of the project,
and only what names this project's real path, or a directory in it, is taken for its own.
"""

import os
import re
from collections.abc import Callable, Iterator

import msgspec

from monitor.checkpoints.checkpoint import Checkpoint, SessionInfo
from monitor.numbered_folder import NumberedFolder, numbered_folder
from monitor.session import Project
from shared import files

DEFAULT = os.path.join(".claude", "tidegauge", "checkpoints")
_NAME = re.compile(r"cx-([0-9]{3,9})-checkpoint\.json")
ACKNOWLEDGED, TAKEN = ".acknowledged", ".resumed"
"""What follows a checkpoint's name in the mark that its own session was alerted, or that another one took it up."""
_USED = re.compile(_NAME.pattern + f"(?:{re.escape(ACKNOWLEDGED)}|{re.escape(TAKEN)})*")
"""Also what has a mark alone left, which would hide a new checkpoint of that number."""
_MOST_READ = 200
"""Checkpoints that are looked into, the newest: a folder may hold any number."""


class StoredCheckpoint(msgspec.Struct, frozen=True):
    """A checkpoint that was read, and the file that holds it."""

    path: str
    checkpoint: Checkpoint
    modified: float
    """Epoch seconds."""

    @property
    def is_taken(self) -> bool:
        return os.path.lexists(self.path + TAKEN)


def folder_of(project: Project, configured: str | None) -> NumberedFolder:
    """The folder of a project's checkpoints. Raises OutsideProjectError."""
    return numbered_folder(project, configured, DEFAULT)


def newest(folder: NumberedFolder) -> Iterator[StoredCheckpoint]:
    """The project's checkpoints, the newest first; whatever cannot be read is passed over."""
    return _newest(folder, _numbers(folder.names()))


def unacknowledged(folder: NumberedFolder) -> Iterator[StoredCheckpoint]:
    """Those of them that no alert has told of."""
    names = folder.names()
    return _newest(folder, [number for number in _numbers(names) if _name(number) + ACKNOWLEDGED not in names])


def _newest(folder: NumberedFolder, numbers: list[int]) -> Iterator[StoredCheckpoint]:
    for number in sorted(numbers, reverse=True)[:_MOST_READ]:
        found = _read(os.path.join(folder.path, _name(number)))
        if found and _is_of(folder.project, found.checkpoint.session_info):
            yield found


def add(folder: NumberedFolder, make: Callable[[str, int], Checkpoint], keep: int) -> StoredCheckpoint:
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


def take(folder: NumberedFolder, name: str) -> None:
    """Note that another session has taken up the checkpoint in the file `name`. Raises OSError."""
    if _NAME.fullmatch(name) and os.path.exists(os.path.join(folder.path, name)):
        _mark(os.path.join(folder.path, name), TAKEN)


def _mark(path: str, mark: str) -> None:
    try:
        files.create(path + mark).close()
    except FileExistsError:
        pass


def _fill(folder: NumberedFolder, path: str, checkpoint: Checkpoint, keep: int) -> StoredCheckpoint:
    try:
        files.write_atomic(path, msgspec.json.format(msgspec.json.encode(checkpoint), indent=2) + b"\n")
    except (OSError, ValueError):
        files.remove(path)
        raise
    for number in sorted(_numbers(folder.names()), reverse=True)[keep:]:
        for mark in ("", ACKNOWLEDGED, TAKEN):
            files.remove(os.path.join(folder.path, _name(number)) + mark)
    return StoredCheckpoint(path, checkpoint, os.stat(path).st_mtime)


def _numbers(names: frozenset[str]) -> list[int]:
    return [int(found[1]) for name in names if (found := _NAME.fullmatch(name))]


def _is_of(project: Project, info: SessionInfo) -> bool:
    """Whether a checkpoint is of `project`; one that we haven't written may say only where its session stood."""
    if info.project_directory:
        return info.project_directory == project.directory
    return os.path.isabs(info.working_directory) and project.holds(info.working_directory)


def _name(number: int) -> str:
    return f"cx-{number:03}-checkpoint.json"


def _read(path: str) -> StoredCheckpoint | None:
    checkpoint = files.load(path, Checkpoint, None)
    try:
        return StoredCheckpoint(path, checkpoint, os.lstat(path).st_mtime) if checkpoint else None
    except OSError:
        return None
