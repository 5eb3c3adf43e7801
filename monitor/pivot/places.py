"""Places: the parts of a project that files belong to."""

import os
import re

_CONTAINERS = frozenset({"apps", "cmd", "crates", "internal", "lib", "libs", "modules", "packages", "services", "src"})
"""Directories that hold the parts of a project and say nothing by themselves."""
_TEST = re.compile(r"(?:^tests?_|[._-](?:tests?|spec)$)", re.IGNORECASE)


def place_of(path: str, directory: str) -> str:
    """The top-level directory of `path` in the project in `directory`; `.` for a file of the project's own.

    What lies outside belongs to the first directory that is not on the way to the project.
    """
    try:
        parts = os.path.relpath(path, directory or os.sep).split(os.sep)
    except ValueError:  # another drive
        return os.path.splitdrive(path)[0]
    ups = parts.count(os.pardir)
    folders = parts[:-1] or ["."]
    depth = ups + (2 if not ups and folders[0] in _CONTAINERS else 1)
    return os.sep.join(folders[:depth])


def subject_of(path: str) -> str:
    """What a test file tests, by its name; empty for a file that is no test."""
    stem, extension = os.path.splitext(os.path.basename(path))
    subject = _TEST.sub("", stem)
    return subject + extension if subject != stem else ""
