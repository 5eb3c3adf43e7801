"""Compactions one by one; their sums are answered by a question."""

import sqlite3

import msgspec

_COMPACTIONS = """
    SELECT compactions.at AS at, session, coalesce(paths.name, '') AS project, trigger, before, after, summary,
        milliseconds, lost
    FROM compactions JOIN conversations USING (cycle) LEFT JOIN paths ON paths.id = project
    WHERE coalesce(compactions.at, 0) >= ? ORDER BY compactions.at
"""


class ShownCompaction(msgspec.Struct, frozen=True):
    """One compaction, as the page shows it; the numbers are those of history.store.schema."""

    at: int | None
    session: str
    project: str
    trigger: str
    before: int | None
    after: int | None
    summary: int | None
    milliseconds: int | None
    lost: int | None


def collect(store: sqlite3.Connection, since: int) -> list[ShownCompaction]:
    """What happened since then, the oldest first."""
    return [ShownCompaction(**dict(row)) for row in store.execute(_COMPACTIONS, (since,))]
