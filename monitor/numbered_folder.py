"""A folder of ours in a project, with numbered entries: checkpoints or exports.

It may come with a repository, whose author may have put a link in its place, or anything inside it. A process claims a
number by creating the entry that bears it, which only one process can, so no file is ever overwritten.
"""

import itertools
import os
import re
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, suppress
from typing import TypeVar

import msgspec

from monitor.session import Project
from shared.files import directory, files
from shared.files.directory import Directory
from shared.project_files import IGNORE_ALL

Item = TypeVar("Item")
_MOST_TRIES = 1000


class OutsideProjectError(Exception):
    """Raised if the folder would lie outside the project."""


class NumberedFolder(msgspec.Struct, frozen=True):
    """A folder with numbered entries; it need not exist."""

    path: str
    project: Project
    is_default: bool = True
    """Whether no path is configured; the folder then stays out of the project's repository."""
    is_outside: bool = False
    """Whether the person has configured an absolute path, in which links are their own."""

    def names(self) -> frozenset[str]:
        try:
            with self.opened() as directory:
                return directory.names()
        except (OSError, OutsideProjectError):
            return frozenset()

    def opened(self, *, make: bool = False) -> AbstractContextManager[Directory]:
        """Open the folder; `make` creates it if it is missing. Raises OSError, OutsideProjectError."""
        real = self.project.real(self.path)  # a project may have links within itself
        if self.is_outside:
            if make:
                files.make_directories(self.path)
            return directory.opened(real)
        if not self.project.holds(real):
            raise OutsideProjectError(f"{self.path} leads out of the project")
        return directory.opened(self.project.directory, os.path.relpath(real, self.project.directory), make=make)

    def add(
        self,
        numbered: re.Pattern[str],
        make: Callable[[Directory, int], Item],
        ours: Callable[[Directory], Iterable[int]],
    ) -> Item:
        """Return what `make` creates with the first free number above our highest.

        `make` raises FileExistsError if the number is taken. The first group of `numbered` is a name's number. `ours`
        yields our own numbers, highest first: a repository may bring any. Raises OSError, OutsideProjectError.
        """
        if self.is_default:
            above = msgspec.structs.replace(self, path=os.path.dirname(self.path))
            with above.opened(make=True) as folder, suppress(OSError):
                # Keep our files out of the repository, which may have brought a .gitignore that lets them in.
                if folder.read_or_none(".gitignore") != IGNORE_ALL:
                    folder.write_atomic(".gitignore", IGNORE_ALL)
        with self.opened(make=True) as folder:
            numbers = {int(match[1]) for name in folder.names() if (match := numbered.fullmatch(name))}
            highest = next(iter(ours(folder)), 0)
            free = (number for number in itertools.count(highest + 1) if number not in numbers)
            for number in itertools.islice(free, _MOST_TRIES):
                with suppress(FileExistsError):
                    return make(folder, number)
        raise OSError(f"no free number in {self.path}")


def numbered_folder(project: Project, configured: str | None, default: str) -> NumberedFolder:
    """The folder; only the person's absolute path, never a link, may lead elsewhere. Raises OutsideProjectError."""
    if configured is not None and os.path.isabs(os.path.expanduser(configured)):
        return NumberedFolder(os.path.expanduser(configured), project, is_default=False, is_outside=True)
    path = os.path.join(project.directory, configured or default)
    if not project.holds(path):
        raise OutsideProjectError(f"{path} leads out of the project")
    return NumberedFolder(path, project, is_default=configured is None)
