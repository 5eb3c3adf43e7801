"""Everything that the page shows, collected from the store."""

import sqlite3
from typing import Any

import msgspec

from history.bill.calls import load
from history.bill.levers import Levers, levers
from history.page import bill, contents, occupancy, sessions
from history.questions import cache, compactions, limits, top, warnings
from history.questions import sessions as session_question
from history.questions.answer.advice import line_of
from shared.gauge.levels import Level
from shared.settings.config import Config

Row = dict[str, Any]
"""A row by the names of its query's columns."""
_ADVISED = {
    "growth": top,
    "compactions": compactions,
    "warnings": warnings,
    "cache": cache,
    "limits": limits,
    "sessions": session_question,
}
"""The question whose levers bear on each section of the page."""
_LIMITS = {"5h": "five hours", "7d": "seven days"}
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
# The fullest of each stretch; SQLite takes its time from the same row.
_LIMIT_POINTS = """
    SELECT at, max(used) FROM (
        SELECT at, used, ntile(600) OVER (ORDER BY at) AS stretch FROM rate_limits WHERE name = ? AND at >= ?
    ) GROUP BY stretch ORDER BY at
"""
_LIMIT_DAYS = """
    SELECT date(at, 'unixepoch', 'localtime') AS day, max(used) FROM rate_limits
    WHERE name = ? AND at >= ? GROUP BY day ORDER BY day
"""


class LimitFigures(msgspec.Struct, frozen=True):
    name: str
    times: list[int]
    used: list[float]
    """Percent."""
    days: list[tuple[str, float]]
    """The most that was used on each day, by this machine's clock."""


class PageAnswers(msgspec.Struct, frozen=True):
    """What sections show of the answers of `tidegauge history`."""

    compactions: compactions.Compactions
    warnings: list[warnings.LevelWarnings]
    rebuilds: list[cache.Rebuilds]
    """Their causes in words."""
    advice: dict[str, str]
    """The last line of each section: what to change, and how much that would have saved."""


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
    answers: PageAnswers
    limits: list[LimitFigures]
    """Those that the client mentioned."""


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
            answers=_answers(store, since, ranked),
            limits=_limits(store, since),
        )
    finally:
        store.execute("ROLLBACK")


def _answers(store: sqlite3.Connection, since: int, ranked: Levers) -> PageAnswers:
    """The answers for rows since then; of questions that list every call only what the page needs."""
    return PageAnswers(
        compactions.figures(store, since),
        warnings.figures(store, since).levels,
        [msgspec.structs.replace(one, cause=cache.CAUSES[one.cause]) for one in cache.rebuilds_of(store, since)],
        {section: line_of(ranked.of(question.LEVERS)) for section, question in _ADVISED.items()},
    )


def _limits(store: sqlite3.Connection, since: int) -> list[LimitFigures]:
    names = [name for (name,) in store.execute("SELECT DISTINCT name FROM rate_limits WHERE at >= ?", (since,))]
    limits = []
    for name in sorted(names):
        points = store.execute(_LIMIT_POINTS, (name, since)).fetchall()
        days = [tuple(row) for row in store.execute(_LIMIT_DAYS, (name, since))]
        times, used = [at for at, _ in points], [percent for _, percent in points]
        limits.append(LimitFigures(_LIMITS.get(name, name), times, used, days))
    return limits
