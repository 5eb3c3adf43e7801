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
from monitor.session import Project
from shared import files

DEFAULT = os.path.join(".claude", "tidegauge", "checkpoints")
_NAME = re.compile(r"cx-([0-9]{3,9})-checkpoint\.json")
ACKNOWLEDGED, TAKEN = ".acknowledged", ".resumed"
"""What follows a checkpoint's name in the mark that its own session was alerted, or that another one took it up."""
_MOST_TRIES = 1000
_MOST_READ = 200
"""Checkpoints that are looked into, the newest: a folder may hold any number."""
_LIMIT = 1 << 20
"""Bytes of a checkpoint; ours take a few kilobytes."""


class Misplaced(Exception):  # noqa: N818  the word is the error
    """The folder would lie outside of the project."""


class Folder(msgspec.Struct, frozen=True):
    """The checkpoints' directory; it need not exist."""

    path: str
    project: Project
    is_default: bool = True


class Found(msgspec.Struct, frozen=True):
    """A checkpoint that was read, and the file that holds it."""

    path: str
    checkpoint: Checkpoint
    modified: float
    """Epoch seconds."""

    @property
    def is_taken(self) -> bool:
        return os.path.lexists(self.path + TAKEN)


def folder_of(project: Project, configured: str | None) -> Folder:
    """The folder of a project; only the person's own setting may place it elsewhere. Raises Misplaced."""
    if configured is not None and os.path.isabs(os.path.expanduser(configured)):
        return Folder(os.path.expanduser(configured), project, is_default=False)
    path = os.path.join(project.directory, configured or DEFAULT)
    if not project.holds(path):
        raise Misplaced(f"{path} leads out of the project")
    return Folder(path, project, is_default=configured is None)


def newest(folder: Folder) -> Iterator[Found]:
    """The project's checkpoints, the newest first; whatever cannot be read is passed over."""
    return _newest(folder, _numbers(_names(folder)))


def unacknowledged(folder: Folder) -> Iterator[Found]:
    """Those of them that no alert has told of."""
    names = _names(folder)
    return _newest(folder, [number for number in _numbers(names) if _name(number) + ACKNOWLEDGED not in names])


def _newest(folder: Folder, numbers: list[int]) -> Iterator[Found]:
    for number in sorted(numbers, reverse=True)[:_MOST_READ]:
        found = _read(os.path.join(folder.path, _name(number)))
        if found and _is_of(folder.project, found.checkpoint.session_info):
            yield found


def add(folder: Folder, make: Callable[[str, int], Checkpoint], keep: int) -> Found:
    """Write the checkpoint that `make(id, number)` returns under the next free number. Raises OSError.

    The number is taken by making the file, which only one of several processes can; then it is replaced whole.
    """
    _prepare(folder)
    number = max(_used(_names(folder)), default=0) + 1
    for tried in range(number, number + _MOST_TRIES):
        path = os.path.join(folder.path, _name(tried))
        try:
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, files.PRIVATE_FILE))
        except FileExistsError:
            continue
        return _fill(folder, path, make(f"cx-{tried:03}", tried), keep)
    raise OSError(f"no free number in {folder.path}")


def acknowledge(found: Found) -> None:
    """Note that a checkpoint's own session was alerted of it. Raises OSError."""
    _mark(found.path, ACKNOWLEDGED)


def take(folder: Folder, name: str) -> None:
    """Note that another session has taken up the checkpoint in the file `name`. Raises OSError."""
    if _NAME.fullmatch(name) and os.path.exists(os.path.join(folder.path, name)):
        _mark(os.path.join(folder.path, name), TAKEN)


def _mark(path: str, mark: str) -> None:
    try:
        os.close(os.open(path + mark, os.O_WRONLY | os.O_CREAT | os.O_EXCL, files.PRIVATE_FILE))
    except FileExistsError:
        pass


def _prepare(folder: Folder) -> None:
    os.makedirs(folder.path, files.PRIVATE_DIRECTORY, exist_ok=True)
    if folder.is_default:
        ignore = os.path.join(os.path.dirname(folder.path), ".gitignore")
        if not os.path.lexists(ignore):
            files.write_atomic(ignore, b"*\n")  # what we leave in a project is no part of it


def _fill(folder: Folder, path: str, checkpoint: Checkpoint, keep: int) -> Found:
    try:
        files.write_atomic(path, msgspec.json.format(msgspec.json.encode(checkpoint), indent=2) + b"\n")
    except (OSError, ValueError):
        files.remove(path)
        raise
    for number in sorted(_numbers(_names(folder)), reverse=True)[keep:]:
        for mark in ("", ACKNOWLEDGED, TAKEN):
            files.remove(os.path.join(folder.path, _name(number)) + mark)
    return Found(path, checkpoint, os.stat(path).st_mtime)


def _names(folder: Folder) -> frozenset[str]:
    try:
        return frozenset(os.listdir(folder.path))
    except OSError:
        return frozenset()


def _numbers(names: frozenset[str]) -> list[int]:
    return [int(found[1]) for name in names if (found := _NAME.fullmatch(name))]


def _used(names: frozenset[str]) -> list[int]:
    """The numbers of all checkpoints, also of those of which a mark alone is left: it would hide a new one."""
    return _numbers(names | {name.removesuffix(ACKNOWLEDGED).removesuffix(TAKEN) for name in names})


def _is_of(project: Project, info: SessionInfo) -> bool:
    """Whether a checkpoint is of `project`; one that we haven't written may say only where its session stood."""
    if info.project_directory:
        return info.project_directory == project.directory
    return os.path.isabs(info.working_directory) and project.holds(info.working_directory)


def _name(number: int) -> str:
    return f"cx-{number:03}-checkpoint.json"


def _read(path: str) -> Found | None:
    document = files.read_or_none(path, _LIMIT)
    if document is None:
        return None
    try:
        return Found(path, msgspec.json.decode(document, type=Checkpoint), os.lstat(path).st_mtime)
    except (msgspec.MsgspecError, UnicodeDecodeError, OSError, RecursionError):
        return None
