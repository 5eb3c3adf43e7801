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
            store.executemany(
                _ADD,
                [
                    {
                        "name": limit,
                        "at": int(use.sampled_at),
                        "used": use.used,
                        "resets_at": int(use.resets_at) or None,
                    }
                    for use in uses
                    if all(0 <= time <= _LATEST for time in (use.sampled_at, use.resets_at))
                ],
            )


# Unless its neighbours in time say the same, or one lies within a minute.
_ADD = f"""
INSERT INTO rate_limits SELECT :name, :at, :used, :resets_at
WHERE NOT EXISTS (SELECT 1 FROM rate_limits WHERE name = :name AND at > :at - {_SPACING} AND at < :at + {_SPACING})
AND (SELECT used, resets_at FROM rate_limits WHERE name = :name AND at < :at ORDER BY at DESC LIMIT 1)
    IS NOT (:used, :resets_at)
"""
