"""Run-time state of sessions that have ended, removed after a week."""

import os
import stat

from shared import files

KEPT_SECONDS = 7 * 24 * 3600


def prune(directory: str, now: float) -> None:
    """Remove the files of our run-time directory that nothing has touched for a week; `now` in epoch seconds."""
    try:
        entries = list(os.scandir(directory))
    except OSError:
        return
    for entry in entries:
        if _is_old(entry, now):
            files.remove(entry.path)


def _is_old(entry: "os.DirEntry[str]", now: float) -> bool:
    try:
        status = entry.stat(follow_symlinks=False)
    except OSError:
        return False
    return not stat.S_ISDIR(status.st_mode) and now - status.st_mtime > KEPT_SECONDS
