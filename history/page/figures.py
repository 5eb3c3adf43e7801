"""Everything that the page shows, collected from the store."""

import sqlite3
from typing import Any

import msgspec

from history.bill.calls import load
from history.bill.levers import levers
from history.page import answers, bill, contents, limits, occupancy, sessions
from shared.gauge.levels import Level
from shared.settings.config import Config

Row = dict[str, Any]
"""A row by the names of its query's columns."""
_COMPACTIONS = """
    SELECT compactions.at AS at, session, coalesce(paths.name, '') AS project, trigger, before, after, summary,
        milliseconds
    FROM compactions JOIN conversations USING (cycle) LEFT JOIN paths ON paths.id = project
    WHERE coalesce(compactions.at, 0) >= ? ORDER BY compactions.at
"""
_CACHE_DAYS = """
    SELECT date(at, 'unixepoch', 'localtime') AS day,
        sum(input + cache_creation + cache_read) AS sent, sum(cache_read) AS cached
    FROM calls WHERE at >= ? GROUP BY day ORDER BY day
"""


class Figures(msgspec.Struct, frozen=True):
    """What the page's scripts get, as JSON. Times are epoch seconds; names and paths are as in the store."""

    made_at: int
    since: int
    """When the report begins; 0: with the first call."""
    levels: tuple[str, ...]
    """The levels' words, in order of urgency."""
    bill: bill.BillFigures
    sessions: sessions.SessionFigures
    occupancy: occupancy.Occupancy
    contents: contents.Contents
    compactions: list[Row]
    """One by one, the oldest first."""
    cache: list[Row]
    """The days with a call, by this machine's clock."""
    answers: answers.PageAnswers
    limits: tuple[limits.LimitFigures, ...]


def collect(store: sqlite3.Connection, since: int, config: Config, now: float) -> Figures:
    """The figures of what happened from `since` on, from one state of the store. Raises sqlite3.Error."""
    store.execute("BEGIN")  # a sync may be writing
    try:
        paid = load(store, since, config.history.prices)
        ranked = levers(paid)
        return Figures(
            bill=bill.collect(paid, ranked),
            made_at=int(now),
            since=since,
            levels=tuple(level.name for level in Level),
            sessions=sessions.collect(store, since),
            occupancy=occupancy.collect(store, since, config.levels),
            contents=contents.collect(store, since),
            compactions=[dict(row) for row in store.execute(_COMPACTIONS, (since,))],
            cache=[dict(row) for row in store.execute(_CACHE_DAYS, (since,))],
            answers=answers.collect(store, since, ranked),
            limits=limits.collect(store, since),
        )
    finally:
        store.execute("ROLLBACK")
