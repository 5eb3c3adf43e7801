"""Old exports, removed by number and by size: the newest stays, and so does whatever is not ours alone.

A file of the person's own keeps a directory (`touch DIRECTORY/keep`): only what holds nothing but
what we have written is removed.
"""

import os
import stat
from contextlib import suppress

import msgspec

from monitor.exporting import folder
from monitor.session import Project
from shared.files.directory import Directory
from shared.project_files import EXPORTED, PARTIAL

_UNDER_WAY_SECONDS = 3600.0
"""How long a copy that is not whole yet counts as being written."""


class _OldExport(msgspec.Struct, frozen=True):
    names: frozenset[str]
    size: int
    """Bytes."""
    is_removable: bool


def prune(project: Project, configured: str | None, most: int, most_bytes: int, now: float) -> None:
    """Keep the newest `most` directories, and of these as many as hold `most_bytes`; without a folder there are none.

    Raises OSError, OutsideProjectError.
    """
    saved = size = 0
    with suppress(FileNotFoundError), folder.opened(project, configured) as (exports, newest):
        for name in newest:
            export = _export_in(exports, name, now)
            if export is None:
                continue
            saved += 1
            size += export.size
            if saved > 1 and export.is_removable and (saved > most or size > most_bytes):
                size -= export.size
                saved -= 1
                _remove(exports, name, export)


def _export_in(exports: Directory, name: str, now: float) -> _OldExport | None:
    """The directory `name`; None for a link, and for what cannot be read."""
    try:
        with exports.directory(name) as directory:
            entries = {entry: directory.status(entry) for entry in directory.names()}
    except OSError:
        return None
    is_ours = all(_is_ours(entry, status, now) for entry, status in entries.items())
    return _OldExport(frozenset(entries), sum(status.st_size for status in entries.values()), is_ours)


def _is_ours(name: str, status: os.stat_result, now: float) -> bool:
    """Whether a file is one that we have written, and that nobody is writing any more."""
    is_under_way = name.endswith(PARTIAL) and now - status.st_mtime < _UNDER_WAY_SECONDS
    return stat.S_ISREG(status.st_mode) and name.removesuffix(PARTIAL) in EXPORTED and not is_under_way


def _remove(exports: Directory, name: str, export: _OldExport) -> None:
    with suppress(OSError):  # somebody has put something into it just now
        with exports.directory(name) as directory:
            for file in export.names:
                directory.remove(file)
        exports.remove_directory(name)
