"""How much of the account's limits was used, as the status lines of all sessions saw it.

The status line keeps each change since the first sync, and a few samples from before it, in a file for each session.
"""

import sqlite3
from glob import escape, glob

import msgspec

from shared import paths
from shared.client.rate_limits import RateSample, RateSamples
from shared.files import files

_SPACING = 60
"""Seconds between two samples of one limit, at the least."""
_LATEST = 10**11
"""Epoch seconds, in the year 5138: a later time is none, and SQLite may not hold it."""


class _SessionSamples(msgspec.Struct):
    """The part of the status line's own file that is read here (statusline.measuring.session_samples)."""

    rate_samples: RateSamples = {}
    limit_changes: RateSamples = {}


def sample(store: sqlite3.Connection, root: str) -> None:
    """Add what the sessions' files say now."""
    for path in sorted(glob(paths.session_samples(escape(root), "*"))):
        samples = files.load(path, _SessionSamples, _SessionSamples())
        for limit, uses in (*samples.limit_changes.items(), *samples.rate_samples.items()):
            for use in uses:
                _add(store, limit, use)


def _add(store: sqlite3.Connection, limit: str, use: RateSample) -> None:
    """Add a sample, unless its neighbours in time say the same, or one lies within a minute."""
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
