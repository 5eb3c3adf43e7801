"""Places: the parts of a project that files belong to."""

import os
import re
from collections.abc import Collection

_CONTAINERS = frozenset({"apps", "crates", "modules", "packages", "services"})
"""Directories that hold the parts of a repository with several projects, and say nothing by themselves."""
_TEST = re.compile(r"(?:^tests?_|[._-](?:tests?|spec)$)", re.IGNORECASE)


def places_of(paths: Collection[str], directory: str) -> dict[str, str]:
    """The place of each path for a session in `directory`; where that holds none of them, in what they share."""
    if not directory or not any(path.startswith(directory.rstrip(os.sep) + os.sep) for path in paths):
        try:
            directory = os.path.commonpath([os.path.dirname(path) for path in paths])
        except ValueError:  # none, or on several drives
            directory = ""
    return {path: _place_of(path, directory) for path in paths}


def _place_of(path: str, directory: str) -> str:
    """The top-level directory of `path` in `directory`; `.` for a file that lies right there.

    What lies outside belongs to the first directory that is not on the way to `directory`.
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
