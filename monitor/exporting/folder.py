"""The folder of a project's pivots: a numbered directory for each, of which the oldest are removed.

A file of the person's own keeps a directory (`touch DIRECTORY/keep`): only directories with nothing but our own files
are removed.
"""

import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from monitor.checkpoints import proof
from monitor.numbered_folder import numbered_folder
from monitor.session import Project, Session
from shared import project_files
from shared.files.directory import Directory
from shared.process.boundary import attempt
from shared.project_files import EXPORTED, EXPORTS, PARTIAL

_NAME = re.compile(r"([0-9]{3,12})-[a-z]+")
_UNDER_WAY_SECONDS = 3600.0
"""Seconds for which an unfinished copy counts as being written."""
_MOST_REMOVED = 100_000
"""Directories that pruning may have removed: we haven't given out a number beyond these and the present ones."""


@contextmanager
def new_export(root: str, project: Project, configured: str | None, name: str) -> Iterator[Directory]:
    """Make and open `NNN-name`, under the next free number, with its proof. Raises OSError, OutsideProjectError."""
    folder = numbered_folder(project, configured, EXPORTS)

    def make(directory: Directory, number: int) -> str:
        directory.make_directory(f"{number:03}-{name}")
        return f"{number:03}-{name}"

    export = folder.add(_NAME, make, lambda directory: (int(match[1]) for match in _exports_in(directory)))
    with folder.opened() as directory, directory.directory(export) as result:
        attempt("export", root, _prove, root, project, result)  # without it, only the person can remove it
        yield result


@contextmanager
def opened(project: Project, configured: str | None) -> Iterator[tuple[Directory, list[str]]]:
    """Open the folder; yields it and the names that are ours, newest first. Raises OSError, OutsideProjectError."""
    with numbered_folder(project, configured, EXPORTS).opened() as directory:
        yield directory, [match[0] for match in _exports_in(directory)]


def prune(session: Session, project: Project, most: int, most_bytes: int) -> None:
    """Keep the newest `most` directories, as far as they fit into `most_bytes`; the newest always stays.

    Links, unreadable directories and those without our proof are skipped. Raises OSError, OutsideProjectError.
    """
    count = size = 0
    configured = session.config.pivot.export_directory
    with suppress(FileNotFoundError), opened(project, configured) as (exports, newest):
        for name in newest:
            try:
                with exports.directory(name) as directory:
                    proven = directory.read_or_none(project_files.PROOF) or b""
                    statuses = {file: directory.status(file) for file in directory.names()}
            except OSError:
                continue
            if not proof.holds(session.root, project.directory, project_files.export_name(name), b"", proven):
                continue
            own_size = sum(status.st_size for status in statuses.values())
            is_over = count > 0 and (count >= most or size + own_size > most_bytes)
            if not (
                is_over and all(_is_whole_and_ours(file, status, session.now) for file, status in statuses.items())
            ):
                is_whole = bool(statuses) and not any(file.endswith(PARTIAL) for file in statuses)
                count, size = count + is_whole, size + own_size
                continue
            with suppress(OSError):  # something has just been written into it
                with exports.directory(name) as directory:
                    for file in statuses:
                        directory.remove(file)
                exports.remove_directory(name)


def _is_whole_and_ours(name: str, status: os.stat_result, now: float) -> bool:
    """Whether a file is one of ours, and no longer being written."""
    is_under_way = name.endswith(PARTIAL) and now - status.st_mtime < _UNDER_WAY_SECONDS
    return stat.S_ISREG(status.st_mode) and name.removesuffix(PARTIAL) in EXPORTED and not is_under_way


def _exports_in(directory: Directory) -> list[re.Match[str]]:
    """The names with numbers that we may have given out, highest first: a repository may bring any number."""
    names = directory.names()
    matches = [match for name in names if (match := _NAME.fullmatch(name))]
    ours = (match for match in matches if int(match[1]) <= len(names) + _MOST_REMOVED)
    return sorted(ours, key=lambda match: int(match[1]), reverse=True)


def _prove(root: str, project: Project, export: Directory) -> None:
    proven = proof.of(root, project.directory, project_files.export_name(export.path), b"")
    export.write_atomic(project_files.PROOF, proven)
