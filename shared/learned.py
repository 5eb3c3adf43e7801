"""What earlier sessions showed of the client: window sizes by model, and where it compacted by itself.

Written by the monitor alone.
"""

import msgspec

from shared import files, paths

MOST = 200
"""Entries of each kind that are kept."""


class Learned(msgspec.Struct, frozen=True):
    """Observations; nothing here is built in."""

    windows: dict[str, int] = {}
    """Tokens by model id, from bridges."""
    compactions: dict[str, int] = {}
    """Smallest `preTokens` of an automatic compaction, by shared.compaction's key."""


def read(root: str) -> Learned:
    """What is known; nothing when the file is missing or damaged."""
    return files.load(paths.learned(root), Learned, Learned())


def write(root: str, learned: Learned) -> None:
    """Replace what is known, the newest entries kept. Raises OSError."""
    kept = Learned(dict(list(learned.windows.items())[-MOST:]), dict(list(learned.compactions.items())[-MOST:]))
    files.write_atomic(paths.learned(root), msgspec.json.encode(kept))
