"""Run-time state of sessions that have ended, removed after a week."""

import os

from shared import files

KEPT_SECONDS = 7 * 24 * 3600
_OURS = ("claude-ctx-", "gate-", "memory-", "subagents-", ".claude-ctx-", ".gate-", ".memory-", ".subagents-")


def prune(directory: str, now: float) -> None:
    """Remove what nothing has touched for a week from our run-time directory; `now` in epoch seconds."""
    try:
        entries = list(os.scandir(directory))
    except OSError:
        return
    for entry in entries:
        if entry.name.startswith(_OURS) and _age(entry, now) > KEPT_SECONDS:
            files.remove(entry.path)


def _age(entry: "os.DirEntry[str]", now: float) -> float:
    try:
        return now - entry.stat(follow_symlinks=False).st_mtime
    except OSError:
        return 0.0
