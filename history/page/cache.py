"""The prompt cache day by day; why it was written again is answered by a question."""

import sqlite3

import msgspec

_DAYS = """
    SELECT date(at, 'unixepoch', 'localtime') AS day,
        sum(input + cache_creation + cache_read) AS sent, sum(cache_read) AS cached
    FROM calls WHERE at >= ? GROUP BY day ORDER BY day
"""


class CacheDay(msgspec.Struct, frozen=True):
    """One day with a call, by this machine's clock."""

    day: str
    """The date as YYYY-MM-DD."""
    sent: int
    """Tokens of all requests; the hit rate is `cached` of them."""
    cached: int


def collect(store: sqlite3.Connection, since: int) -> list[CacheDay]:
    """The days since then."""
    return [CacheDay(**dict(row)) for row in store.execute(_DAYS, (since,))]
