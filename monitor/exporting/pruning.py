"""Old exports, removed by number and by size: the newest stays, and so does whatever is not ours alone.

A file of the person's own marks a directory as one to be kept (`touch DIRECTORY/keep`): only what holds nothing but
what we have written is removed.
"""

import os
import stat

import msgspec

from monitor.exporting import folder
from monitor.exporting.copy import ARCHIVE, PARTIAL, READABLE
from monitor.session import Project
from shared import files

OURS = frozenset({ARCHIVE, READABLE, "continuation.md", "tasks.md", "compact.md"})
"""What pivots write."""
_UNDER_WAY_SECONDS = 3600.0
"""How long a copy that is not whole yet counts as being written."""


class _OldExport(msgspec.Struct, frozen=True):
    path: str
    names: tuple[str, ...]
    size: int
    """Bytes."""
    is_removable: bool


def prune(project: Project, configured: str | None, most: int, most_bytes: int, now: float) -> None:
    """Keep the newest `most` directories, and of these as many as hold `most_bytes`. Raises OutsideProjectError."""
    kept = size = 0
    for path in folder.newest(project, configured):
        found = _export_at(path, now)
        if found is None:
            continue
        kept += 1
        size += found.size
        if kept > 1 and found.is_removable and (kept > most or size > most_bytes):
            size -= found.size
            kept -= 1
            _remove(found)


def _export_at(path: str, now: float) -> _OldExport | None:
    """The directory; None for a link, and for what cannot be read."""
    try:
        if not stat.S_ISDIR(os.lstat(path).st_mode):
            return None
        entries = {entry.name: entry.stat(follow_symlinks=False) for entry in os.scandir(path)}
    except OSError:
        return None
    is_ours = all(_is_ours(name, status, now) for name, status in entries.items())
    return _OldExport(path, tuple(entries), sum(status.st_size for status in entries.values()), is_ours)


def _is_ours(name: str, status: os.stat_result, now: float) -> bool:
    """Whether a file is one that we have written, and that nobody is writing any more."""
    is_under_way = name.endswith(PARTIAL) and now - status.st_mtime < _UNDER_WAY_SECONDS
    return stat.S_ISREG(status.st_mode) and name.removesuffix(PARTIAL) in OURS and not is_under_way


def _remove(found: _OldExport) -> None:
    for name in found.names:
        files.remove(os.path.join(found.path, name))
    try:
        os.rmdir(found.path)
    except OSError:
        pass  # somebody has put something into it just now
