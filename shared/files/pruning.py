"""What has outlived its use, and goes by its age: run-time state of sessions that have ended, after a week."""

import os
import stat
from collections.abc import Iterable

from shared.files import files

DAY = 24 * 3600
RETENTION_SECONDS = 7 * DAY
_LONGEST_PAUSE = 3 * DAY


def outlived_before(times: Iterable[float], now: float, retention_seconds: float) -> float:
    """The moment before which what is dated by `times` has outlived its use; all are epoch seconds.

    A pause between two of them, and up to now, counts as three days at most, a weekend: a clock that is months ahead
    for an hour would take everything.
    """
    left, later = retention_seconds, now
    for time in sorted((time for time in times if time < now), reverse=True):
        pause = min(later - time, _LONGEST_PAUSE)
        if pause > left:
            break
        left, later = left - pause, time
    return later - left


def prune(directory: str, now: float, retention_seconds: float = RETENTION_SECONDS) -> None:
    """Remove the files of a directory of ours that have outlived their use; `now` in epoch seconds."""
    try:
        entries = list(os.scandir(directory))
    except OSError:
        return
    changed = {}
    for entry in entries:
        try:
            status = entry.stat(follow_symlinks=False)
        except OSError:  # another process was faster
            continue
        if not stat.S_ISDIR(status.st_mode):
            changed[entry.path] = status.st_mtime
    before = outlived_before(changed.values(), now, retention_seconds)
    for path, at in changed.items():
        if at < before:
            files.remove(path)
