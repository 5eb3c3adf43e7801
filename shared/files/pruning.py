"""Pruning by age: the run-time state of ended sessions goes after a week."""

import os
import stat
from collections.abc import Iterable

from shared.files import files

DAY = 24 * 3600
RETENTION_SECONDS = 7 * DAY
_LONGEST_PAUSE = 3 * DAY


def outlived_before(times: Iterable[float], now: float, retention_seconds: float) -> float:
    """The time before which items dated by `times` are outdated; all in epoch seconds.

    A pause between two of them, or up to `now`, counts as three days at most, a weekend: otherwise a clock that is
    months ahead for an hour would outdate everything.
    """
    left, later = retention_seconds, now
    for time in sorted((time for time in times if time < now), reverse=True):
        pause = min(later - time, _LONGEST_PAUSE)
        if pause > left:
            break
        left, later = left - pause, time
    return later - left


def prune(directory: str, now: float, retention_seconds: float = RETENTION_SECONDS) -> None:
    """Remove the outdated files of a directory of ours; `now` is in epoch seconds."""
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
