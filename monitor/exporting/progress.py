"""What has become of an export whose copies another process writes."""

import re

from shared import paths
from shared.files import files
from shared.files.directory import opened
from shared.files.locked_file import try_lock
from shared.project_files import ARCHIVE, READABLE

_FAILURE = re.compile(r" export: \w+: \[\w+ -?\d+\] ([^:]+): ")
"""The system's words in the mark of a failed export."""


def is_whole(path: str) -> bool | None:
    """Whether the export in `path` has both copies; None if they may still be under way. Raises OSError."""
    with opened(path) as directory:
        # First: the writing process holds the lock until it ends, however it ends (monitor.exporting.copy).
        has_ended = directory.descriptor is not None and _is_free(directory.descriptor)
        if directory.names() >= {ARCHIVE, READABLE}:
            return True
    return False if has_ended else None


def is_lost(path: str) -> bool:
    """Whether `path` is the directory of an export that nothing completes any more."""
    try:
        return path.endswith("-export") and is_whole(path) is False
    except OSError:
        return False


def news(root: str, path: str, shown: str) -> str:
    """What has become of the export in the directory `path`, which is `shown` to the person; empty if it is gone."""
    try:
        has_copies = is_whole(path)
    except OSError:
        return ""
    if has_copies is None:
        return f"The session is being exported to {shown}."
    if has_copies:
        return f"The session's export is {shown}."
    mark = (files.read_or_none(paths.failure_mark(root, "export")) or b"").decode(errors="replace")
    failure = _FAILURE.search(mark) if path in mark else None
    return f"The session's export failed: {f'{failure[1]}: {shown}' if failure else f'{shown} is incomplete'}."


def _is_free(descriptor: int) -> bool:
    try:
        return try_lock(descriptor)
    except OSError:  # a file system without locks
        return False
