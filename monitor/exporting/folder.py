"""Where the pivots of a project write: a numbered directory for each."""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager

from monitor.checkpoints import proof
from monitor.numbered_folder import numbered_folder
from monitor.session import Project
from shared import project_files
from shared.files.directory import Directory
from shared.process.boundary import attempt
from shared.project_files import EXPORTS

_NAME = re.compile(r"([0-9]{3,12})-[a-z]+")
_MOST_REMOVED = 100_000
"""Directories that pruning may have removed: a number beyond so many is none that we have given out."""


@contextmanager
def added(root: str, project: Project, configured: str | None, name: str) -> Iterator[Directory]:
    """Make and open the directory `NNN-name` under the next free number, with its proof.

    Raises OSError, OutsideProjectError.
    """
    folder = numbered_folder(project, configured, EXPORTS)

    def make(directory: Directory, number: int) -> str:
        directory.make_directory(f"{number:03}-{name}")
        return f"{number:03}-{name}"

    made = folder.add(_NAME, make, lambda directory, number: _is_ours(number, directory.names()))
    with folder.opened() as directory, directory.directory(made) as result:
        attempt("export", root, _prove, root, project, result)  # without it, only the person can remove it
        yield result


def save(root: str, project: Project, configured: str | None, name: str, *, file: str, text: str) -> str:
    """Write `text` as `file` into a new directory `NNN-name`; answers its path. Raises OSError, OutsideProjectError."""
    with added(root, project, configured, name) as directory:
        with directory.create(file) as stream:
            stream.write(text.encode("utf-8", "replace"))
        return os.path.join(directory.path, file)


@contextmanager
def opened(project: Project, configured: str | None) -> Iterator[tuple[Directory, list[str]]]:
    """The folder, open, and the names of the directories in it that are ours, the newest first.

    Raises OSError, OutsideProjectError.
    """
    with numbered_folder(project, configured, EXPORTS).opened() as directory:
        names = directory.names()
        matches = [match for name in names if (match := _NAME.fullmatch(name)) and _is_ours(int(match[1]), names)]
        yield directory, [match[0] for match in sorted(matches, key=lambda match: -int(match[1]))]


def _is_ours(number: int, names: frozenset[str]) -> bool:
    """Whether we can have given out a number: a repository may bring a directory with any."""
    return number <= len(names) + _MOST_REMOVED


def _prove(root: str, project: Project, export: Directory) -> None:
    proven = proof.of(root, project.directory, project_files.export_name(export.path), b"")
    export.write_atomic(project_files.PROOF, proven)
