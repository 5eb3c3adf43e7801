"""How much of the account's limits was used, as the status lines of all sessions saw it.

The bridge has the newest figures. Beside it the status line keeps each change since the first sync (statusline),
until a sync takes it; the bridges alone would have what was true at the syncs.
"""

import os
import sqlite3
from glob import glob

import msgspec

from shared import paths
from shared.client.rate_limits import RateSample, RateSamples, limits_of
from shared.files import files
from shared.gauge.bridge import Bridge
from shared.settings.config import Config

_SPACING = 60
"""Seconds between two samples of one limit, at the least."""
_LATEST = 10**11
"""Epoch seconds, in the year 5138: a later time is none, and SQLite may not hold it."""
_BRIDGES, _SAMPLES = (os.path.basename(path("", "*")) for path in (paths.bridge, paths.session_samples))
"""Patterns of the names of the files that are read."""


class _SessionSamples(msgspec.Struct):
    """The part of the status line's own file that is read here (statusline.measuring.session_samples)."""

    rate_samples: RateSamples = {}
    limit_changes: RateSamples = {}


def sample(store: sqlite3.Connection, root: str, config: Config) -> None:
    """Add what the sessions' files say now."""
    run = paths.run_directory(root)
    for directory in {run, config.bridge.directory or run}:
        for pattern, reader in ((_BRIDGES, _of_bridge), (_SAMPLES, _of_session)):
            for name in sorted(glob(pattern, root_dir=directory)):
                for limit, use in reader(os.path.join(directory, name)):
                    _add(store, limit, use)


def _of_session(path: str) -> list[tuple[str, RateSample]]:
    samples = files.load(path, _SessionSamples, _SessionSamples())
    changes = (*samples.limit_changes.items(), *samples.rate_samples.items())
    return [(limit, use) for limit, uses in changes for use in uses]


def _of_bridge(path: str) -> list[tuple[str, RateSample]]:
    bridge = files.load(path, Bridge, None)
    if bridge is None or bridge.rate_limits is None:
        return []
    at = bridge.written_at or bridge.timestamp
    live = limits_of(bridge.rate_limits).live(at)
    return [
        (limit, RateSample(at, use.used_percentage, use.resets_at or 0))
        for limit, use in live.items()
        if use.used_percentage is not None
    ]


def _add(store: sqlite3.Connection, limit: str, use: RateSample) -> None:
    """Add a sample, unless its neighbours in time say the same, or one lies within a minute.

    A bridge may be another program's, so its figures are checked here.
    """
    if not all(0 <= time <= _LATEST for time in (use.sampled_at, use.resets_at)):
        return
    at = int(use.sampled_at)
    near = "SELECT 1 FROM rate_limits WHERE name = ? AND at > ? AND at < ?"
    if store.execute(near, (limit, at - _SPACING, at + _SPACING)).fetchone():
        return
    newest = "SELECT used, resets_at FROM rate_limits WHERE name = ? AND at < ? ORDER BY at DESC LIMIT 1"
    resets_at = int(use.resets_at) or None
    if store.execute(newest, (limit, at)).fetchone() != (use.used, resets_at):
        store.execute("INSERT INTO rate_limits VALUES (?,?,?,?)", (limit, at, use.used, resets_at))
