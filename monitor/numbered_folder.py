"""A folder of ours in a project, with a number for each thing in it: checkpoints, exports.

It lies in a project, and so may come with a repository: whoever made that may have left links in its place, or
anything else in it. A number is taken by making the thing that bears it, which only one of several processes can,
so no file is ever overwritten.
"""

import os
import re
from collections.abc import Callable
from typing import TypeVar

import msgspec

from monitor.session import Project
from shared import files

Made = TypeVar("Made")
_MOST_TRIES = 1000


class OutsideProjectError(Exception):
    """The folder would lie outside of the project."""


class NumberedFolder(msgspec.Struct, frozen=True):
    """It need not exist."""

    path: str
    project: Project
    is_default: bool = True
    """Whether nobody has placed it: then it is kept out of the project's repository."""

    def names(self) -> frozenset[str]:
        try:
            return frozenset(os.listdir(self.path))
        except OSError:
            return frozenset()

    def add(self, numbered: re.Pattern[str], make: Callable[[int], Made]) -> Made:
        """What `make` makes with the number after the highest; FileExistsError of it means that this one is taken.

        The first group of `numbered` is the number in a name. Raises OSError.
        """
        os.makedirs(self.path, files.PRIVATE_DIRECTORY, exist_ok=True)
        if self.is_default:
            _ignore(os.path.dirname(self.path))
        number = 1 + max((int(found[1]) for name in self.names() if (found := numbered.fullmatch(name))), default=0)
        for tried in range(number, number + _MOST_TRIES):
            try:
                return make(tried)
            except FileExistsError:
                continue
        raise OSError(f"no free number in {self.path}")


def numbered_folder(project: Project, configured: str | None, default: str) -> NumberedFolder:
    """The folder at `configured`, else at `default` in the project. Raises OutsideProjectError.

    Only the person's own setting, an absolute path, may place it elsewhere, and no link may.
    """
    if configured is not None and os.path.isabs(os.path.expanduser(configured)):
        return NumberedFolder(os.path.expanduser(configured), project, is_default=False)
    path = os.path.join(project.directory, configured or default)
    if not project.holds(path):
        raise OutsideProjectError(f"{path} leads out of the project")
    return NumberedFolder(path, project, is_default=configured is None)


def _ignore(directory: str) -> None:
    """Keep what we leave in a project out of its repository."""
    try:
        with files.create(os.path.join(directory, ".gitignore")) as file:
            file.write(b"*\n")
    except FileExistsError:
        pass
