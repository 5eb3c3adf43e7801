"""Run-time state of sessions that have ended, removed after a week."""

import os
import stat

RETENTION_SECONDS = 7 * 24 * 3600


def prune(directory: str, now: float, retention_seconds: float = RETENTION_SECONDS) -> None:
    """Remove the files of a directory of ours that nothing has touched for so long; `now` in epoch seconds."""
    try:
        entries = list(os.scandir(directory))
    except OSError:
        return
    for entry in entries:
        try:
            status = entry.stat(follow_symlinks=False)
            if not stat.S_ISDIR(status.st_mode) and status.st_mtime < now - retention_seconds:
                os.unlink(entry.path)
        except OSError:  # another process was faster
            pass
