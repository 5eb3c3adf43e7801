"""What earlier sessions showed of the client: window sizes, and where it compacted by itself.

Each is remembered with the conditions that it was seen under, and says nothing under others. Written by the
monitor alone.
"""

from collections.abc import Mapping

import msgspec

from shared import files, paths
from shared.client import COMPACT_PERCENT_VARIABLE, COMPACT_WINDOW_VARIABLE, DISABLE_LONG_VARIABLE

MOST = 200
"""Entries of each kind that are kept."""


class Learned(msgspec.Struct, frozen=True):
    """Observations; nothing here is built in."""

    windows: dict[str, int] = {}
    """Tokens by `window_key`, from bridges."""
    compactions: dict[str, int] = {}
    """Smallest `preTokens` of an automatic compaction, by `compaction_key`."""


def window_key(model: str, client: str, environ: Mapping[str, str]) -> str:
    """Under what the size of a window is remembered: model id, client version, whether 1M is disabled."""
    return "|".join((model, client, environ.get(DISABLE_LONG_VARIABLE, "")))


def compaction_key(model: str, client: str, window: int, environ: Mapping[str, str]) -> str:
    """Under what a compaction in a window of `window` tokens is remembered."""
    variables = (environ.get(name, "") for name in (COMPACT_WINDOW_VARIABLE, COMPACT_PERCENT_VARIABLE))
    return "|".join((model, client, str(window), *variables))


def read(root: str) -> Learned:
    """What is known; nothing when the file is missing or damaged.

    Version 0.1.0 remembered without the client's version: under which conditions is unknown, so it says nothing.
    """
    found = files.load(paths.learned(root), Learned, Learned())
    return Learned(_conditioned(found.windows, 3), _conditioned(found.compactions, 5))


def write(root: str, learned: Learned) -> None:
    """Replace what is known, the newest entries kept. Raises OSError."""
    kept = Learned(dict(list(learned.windows.items())[-MOST:]), dict(list(learned.compactions.items())[-MOST:]))
    files.write_atomic(paths.learned(root), msgspec.json.encode(kept))


def _conditioned(found: dict[str, int], conditions: int) -> dict[str, int]:
    return {key: tokens for key, tokens in found.items() if key.count("|") == conditions - 1}
