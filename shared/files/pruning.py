"""Run-time state of sessions that have ended, removed after a week."""

import os
import stat

from shared.files import files

RETENTION_SECONDS = 7 * 24 * 3600


def prune(directory: str, now: float, retention_seconds: float = RETENTION_SECONDS) -> None:
    """Remove the files of a directory of ours that nothing has touched for so long; `now` in epoch seconds."""
    try:
        entries = list(os.scandir(directory))
    except OSError:
        return
    for entry in entries:
        if _is_old(entry, now - retention_seconds):
            files.remove(entry.path)


def _is_old(entry: "os.DirEntry[str]", before: float) -> bool:
    try:
        status = entry.stat(follow_symlinks=False)
    except OSError:
        return False
    return not stat.S_ISDIR(status.st_mode) and status.st_mtime < before
