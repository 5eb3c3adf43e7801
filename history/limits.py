"""How much of the account's limits was used, as the status lines of all sessions saw it.

The status line keeps each change since the first sync, and a few samples from before it, in a file for each session.
"""

import sqlite3
from glob import escape, glob

import msgspec

from shared import paths
from shared.client.rate_limits import RateSamples
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
            valid = [use for use in uses if 0 <= use.sampled_at <= _LATEST and 0 <= use.resets_at <= _LATEST]
            rows = [(limit, int(use.sampled_at), use.used, int(use.resets_at) or None) for use in valid]
            store.executemany(_ADD, rows)


# Unless its neighbours in time say the same, or one lies within a minute.
_ADD = f"""
WITH new (name, at, used, resets_at) AS (VALUES (?, ?, ?, ?))
INSERT INTO rate_limits SELECT new.* FROM new
WHERE NOT EXISTS (SELECT 1 FROM rate_limits AS near
    WHERE near.name = new.name AND near.at > new.at - {_SPACING} AND near.at < new.at + {_SPACING})
AND (new.used, new.resets_at) IS NOT (SELECT before.used, before.resets_at FROM rate_limits AS before
    WHERE before.name = new.name AND before.at < new.at ORDER BY before.at DESC LIMIT 1)
"""
