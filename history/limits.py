"""The account's rate limits, as the status lines of all sessions sampled them (shared.client.rate_limits)."""

import sqlite3
from glob import escape, glob

import msgspec

from shared import paths
from shared.client.rate_limits import RateSamples
from shared.files import files

_LATEST = 10**11
"""Epoch seconds, in the year 5138: a later time is invalid, and may not fit into SQLite."""


class _SessionSamples(msgspec.Struct):
    """The part of the status line's own file that is read here (statusline.measuring.session_samples)."""

    rate_samples: RateSamples = {}


def sample(store: sqlite3.Connection, root: str) -> None:
    """Add the samples that are in the sessions' files now."""
    for path in sorted(glob(paths.session_samples(escape(root), "*"))):
        samples = files.load(path, _SessionSamples, _SessionSamples())
        for limit, uses in samples.rate_samples.items():
            valid = [use for use in uses if 0 <= use.sampled_at <= _LATEST and 0 <= use.resets_at <= _LATEST]
            rows = [(limit, int(use.sampled_at), use.used, int(use.resets_at) or None) for use in valid]
            store.executemany(_ADD, rows)


# Unless it equals the sample before it: the sessions of an account all see the same.
_ADD = """
WITH new (name, at, used, resets_at) AS (VALUES (?, ?, ?, ?))
INSERT OR IGNORE INTO rate_limits (name, at, used, resets_at) SELECT * FROM new WHERE (used, resets_at) IS NOT (
    SELECT before.used, before.resets_at FROM rate_limits AS before
    WHERE before.name = new.name AND before.at < new.at ORDER BY before.at DESC LIMIT 1)
"""
