"""Everything that the page shows, collected from the store."""

import sqlite3
from collections.abc import Iterator
from typing import Any

import msgspec

from history.bill.calls import load
from history.bill.levers import Levers, levers
from history.page import bill, contents, occupancy
from history.questions import cache, compactions, limits, sessions, top, warnings
from history.questions.answer.advice import line_of
from history.store.schema import urgency
from shared.gauge.levels import Level
from shared.settings.config import Config

Figures = dict[str, Any]
"""Figures under the names that the page's scripts use."""
_ADVISED = {
    "growth": top,
    "compactions": compactions,
    "warnings": warnings,
    "cache": cache,
    "limits": limits,
    "sessions": sessions,
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
_MOST_SESSIONS = 1_000
"""Rows of the sessions' table; a page with many more is slow on a phone."""
_EVENTS = """
    SELECT session, count(*) AS {table} FROM {table} JOIN conversations USING (cycle)
    WHERE coalesce(at, 0) >= :since GROUP BY session
"""
_SESSIONS = f"""
    WITH compacted AS ({_EVENTS.format(table="compactions")}), warned AS ({_EVENTS.format(table="warnings")})
    SELECT session, coalesce(max(CASE WHEN agent IS NULL THEN paths.name END), '') AS project,
        min(calls.at) AS first_at, max(calls.at) AS last_at,
        count(*) AS calls, count(DISTINCT agent) AS subagents,
        sum(input) AS input, sum(cache_creation) AS cache_creation, sum(cache_read) AS cache_read,
        sum(output) AS output,
        max(CASE WHEN agent IS NULL THEN 100.0 * fill / windows.tokens END) AS peak,  -- percent
        max(CASE WHEN agent IS NULL THEN {urgency("level")} END) AS level,
        coalesce(compactions, 0) AS compactions, coalesce(warnings, 0) AS warnings
    FROM calls JOIN conversations USING (cycle) JOIN windows ON windows.id = calls.window
    LEFT JOIN paths ON paths.id = project LEFT JOIN compacted USING (session) LEFT JOIN warned USING (session)
    WHERE coalesce(calls.at, 0) >= :since
    GROUP BY session ORDER BY last_at DESC
"""
_SUMMED = ("calls", "subagents", "input", "cache_creation", "cache_read", "output", "compactions", "warnings")
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


def collect(store: sqlite3.Connection, since: int, config: Config, now: float) -> Figures:
    """Collect what the page's scripts get, as JSON, for the time from `since` on, from one state of the store.

    Times are epoch seconds; names and paths are as in the store. Raises sqlite3.Error.
    """
    store.execute("BEGIN")  # a sync may be writing
    try:
        paid = load(store, since, config.history.prices)
        ranked = levers(paid)
        return {
            "made_at": int(now),
            "since": since,  # 0: from the first call on
            "levels": [level.name for level in Level],  # in order of urgency
            "bill": bill.collect(paid, ranked),
            "sessions": _sessions(store, since),
            "occupancy": occupancy.collect(store, since, config.levels),
            "contents": contents.collect(store, since),
            "compactions": [dict(row) for row in store.execute(_COMPACTIONS, (since,))],  # the oldest first
            "cache": [dict(row) for row in store.execute(_CACHE_DAYS, (since,))],  # the days with a call
            "answers": _answers(store, since, ranked),
            "limits": list(_limits(store, since)),
        }
    finally:
        store.execute("ROLLBACK")


def _sessions(store: sqlite3.Connection, since: int) -> Figures:
    """The sessions, newest first, with their subagents' usage (`peak`, `level`: their own window's), and the totals."""
    rows = [dict(row) for row in store.execute(_SESSIONS, {"since": since})]
    totals = {name: sum(row[name] for row in rows) for name in _SUMMED}
    left_out = max(0, len(rows) - _MOST_SESSIONS)
    return {"rows": rows[:_MOST_SESSIONS], "left_out": left_out, "totals": totals | {"sessions": len(rows)}}


def _answers(store: sqlite3.Connection, since: int, ranked: Levers) -> Figures:
    """The answers of `tidegauge history` that sections show; of those that list every call, only what is needed."""
    rebuilds = cache.rebuilds_of(store, since)
    return {
        "compactions": compactions.figures(store, since),
        "warnings": warnings.figures(store, since),
        "rebuilds": [msgspec.structs.replace(one, cause=cache.CAUSES[one.cause]) for one in rebuilds],
        "advice": {section: line_of(ranked.of(question.LEVERS)) for section, question in _ADVISED.items()},
    }


def _limits(store: sqlite3.Connection, since: int) -> Iterator[Figures]:
    """Yield each limit that the client mentioned: percent used, and each day's maximum by this machine's clock."""
    query = "SELECT DISTINCT name FROM rate_limits WHERE at >= ? ORDER BY name"
    for (name,) in store.execute(query, (since,)).fetchall():
        points = store.execute(_LIMIT_POINTS, (name, since)).fetchall()
        days = [tuple(row) for row in store.execute(_LIMIT_DAYS, (name, since))]
        times, used = [at for at, _ in points], [percent for _, percent in points]
        yield {"name": _LIMITS.get(name, name), "times": times, "used": used, "days": days}
