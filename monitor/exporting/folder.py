"""Where the pivots of a project write: a numbered directory for each, so that nothing is ever written over.

The folder lies in a project, and so may come with a repository: a link in its place must not lead us out of it.
"""

import os
import re
from typing import BinaryIO

from monitor.checkpoints.folder import Misplaced
from monitor.session import Project
from shared import files

DEFAULT = os.path.join(".claude", "tidegauge", "exports")
_NAME = re.compile(r"([0-9]{3,9})-[a-z]+")
_MOST_TRIES = 1000
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)  # not a flag of Windows
_BINARY = getattr(os, "O_BINARY", 0)  # only a flag of Windows


def add(project: Project, configured: str | None, name: str) -> str:
    """Make the directory `NNN-name` under the next free number. Raises OSError, Misplaced."""
    folder = _folder_of(project, configured)
    os.makedirs(folder, files.PRIVATE_DIRECTORY, exist_ok=True)
    if configured is None:
        _ignore(os.path.dirname(folder))
    number = max((int(found[1]) for entry in os.listdir(folder) if (found := _NAME.fullmatch(entry))), default=0) + 1
    for tried in range(number, number + _MOST_TRIES):
        path = os.path.join(folder, f"{tried:03}-{name}")
        try:
            os.mkdir(path, files.PRIVATE_DIRECTORY)
        except FileExistsError:
            continue
        return path
    raise OSError(f"no free number in {folder}")


def create(path: str) -> BinaryIO:
    """A new private file, open for writing. Raises FileExistsError: nothing is written over."""
    return open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_LINK | _BINARY, files.PRIVATE_FILE), "wb")


def write(path: str, text: str) -> None:
    """Make a new private file that holds `text`. Raises OSError."""
    with create(path) as file:
        file.write(text.encode("utf-8", "replace"))


def _folder_of(project: Project, configured: str | None) -> str:
    """The project's folder of exports; only the person's own setting may place it elsewhere. Raises Misplaced."""
    if configured is not None and os.path.isabs(os.path.expanduser(configured)):
        return os.path.expanduser(configured)
    path = os.path.join(project.directory, configured or DEFAULT)
    if not project.holds(path):
        raise Misplaced(f"{path} leads out of the project")
    return path


def _ignore(directory: str) -> None:
    """Keep what we leave in a project out of its repository."""
    path = os.path.join(directory, ".gitignore")
    if not os.path.lexists(path):
        files.write_atomic(path, b"*\n")
