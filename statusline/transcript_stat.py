"""The session's transcript as it was when the process started."""

import os
import stat

import msgspec


class TranscriptStat(msgspec.Struct, frozen=True):
    path: str
    size: int
    """Bytes; -1 when there is none."""


def stat_of(path: str) -> TranscriptStat:
    """To be taken before anything else is read, so that the size is never more than the payload knew."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return TranscriptStat(path, -1)
    return TranscriptStat(path, status.st_size if stat.S_ISREG(status.st_mode) else -1)
