"""How much of the account's limits was used, as the status lines of all sessions have seen it.

The bridge has the newest figures. Beside it the status line keeps each change since the first sync (statusline.seen),
until a sync takes it; the bridges alone would have what was true at the syncs.
"""

import os
import sqlite3

import msgspec

from shared import files, paths
from shared.bridge import Bridge
from shared.config import Config
from shared.rate_limits import RateSample, RateSamples, limits_of

_SPACING = 60
"""Seconds between two samples of one limit, at the least."""
_LATEST = 10**11
"""Epoch seconds, in the year 5138: a later time is none, and SQLite may not hold it."""
_BRIDGE, _SEEN, _ENDING = "claude-ctx-", "seen-", ".json"


class _Seen(msgspec.Struct):
    """The part of the status line's own file that is read here (statusline.seen)."""

    rate_samples: RateSamples = {}
    limit_changes: RateSamples = {}


def sample(store: sqlite3.Connection, root: str, config: Config) -> None:
    """Add what the sessions' files say now."""
    run = paths.run_directory(root)
    for directory in {run, config.bridge.directory or run}:
        try:
            names = sorted(os.listdir(directory))
        except OSError:
            continue
        for name in names:
            for limit, found in _samples(os.path.join(directory, name)):
                _add(store, limit, found)


def _samples(path: str) -> list[tuple[str, RateSample]]:
    name = os.path.basename(path)
    if name.startswith(_SEEN) and name.endswith(_ENDING):
        seen = files.load(path, _Seen, _Seen())
        found = (*seen.limit_changes.items(), *seen.rate_samples.items())
        return [(limit, sample) for limit, samples in found for sample in samples]
    if not (name.startswith(_BRIDGE) and name.endswith(_ENDING)):
        return []
    bridge = files.load(path, Bridge, None)
    if bridge is None or bridge.rate_limits is None:
        return []
    at = bridge.written_at or bridge.timestamp
    live = limits_of(bridge.rate_limits).live(at)
    return [
        (limit, RateSample(at, found.used_percentage, found.resets_at or 0))
        for limit, found in live.items()
        if found.used_percentage is not None
    ]


def _add(store: sqlite3.Connection, limit: str, found: RateSample) -> None:
    """Add a sample, unless its neighbours in time say the same, or one lies within a minute.

    A bridge may be another program's, so its figures are checked here.
    """
    if not all(0 <= time <= _LATEST for time in (found.seen_at, found.resets_at)):
        return
    at = int(found.seen_at)
    near = "SELECT 1 FROM rate_limits WHERE name = ? AND at > ? AND at < ?"
    if store.execute(near, (limit, at - _SPACING, at + _SPACING)).fetchone():
        return
    newest = "SELECT used, resets_at FROM rate_limits WHERE name = ? AND at < ? ORDER BY at DESC LIMIT 1"
    resets_at = int(found.resets_at) or None
    if store.execute(newest, (limit, at)).fetchone() != (found.used, resets_at):
        store.execute("INSERT INTO rate_limits VALUES (?,?,?,?)", (limit, at, found.used, resets_at))
