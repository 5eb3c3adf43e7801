"""Everything that the page shows, collected from the store."""

import sqlite3

import msgspec

from history.bill.calls import load
from history.bill.levers import levers
from history.page import answers, bill, cache, compactions, contents, limits, occupancy, sessions
from shared.gauge.levels import Level
from shared.settings.config import Config


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
    compactions: list[compactions.ShownCompaction]
    cache: list[cache.CacheDay]
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
            compactions=compactions.collect(store, since),
            cache=cache.collect(store, since),
            answers=answers.collect(store, since, ranked),
            limits=limits.collect(store, since),
        )
    finally:
        store.execute("ROLLBACK")
