"""The sessions: what each used, and all of them together."""

import sqlite3
from typing import Any

import msgspec

from history.store.schema import urgency

_MOST = 1_000
"""Rows of the table; a page with many more is slow on a phone."""
_SESSIONS = f"""
    SELECT session, max(CASE WHEN agent IS NULL THEN project END) AS project,
        min(calls.at) AS first_at, max(calls.at) AS last_at,
        count(*) AS calls, count(DISTINCT agent) AS subagents,
        sum(input) AS input, sum(cache_creation) AS cache_creation, sum(cache_read) AS cache_read,
        sum(output) AS output,
        max(CASE WHEN agent IS NULL THEN 100.0 * fill / windows.tokens END) AS peak,  -- percent
        max(CASE WHEN agent IS NULL THEN {urgency("level")} END) AS level
    FROM calls JOIN conversations USING (cycle) JOIN windows ON windows.id = calls.window
    WHERE coalesce(calls.at, 0) >= ?
    GROUP BY session ORDER BY last_at DESC
"""
_EVENTS = """
    SELECT session, count(*) FROM {table} JOIN conversations USING (cycle)
    WHERE coalesce(at, 0) >= ? GROUP BY session
"""
_SUMMED = ("calls", "subagents", "input", "cache_creation", "cache_read", "output", "compactions", "warnings")


class SessionFigures(msgspec.Struct, frozen=True):
    """The newest sessions, and how many more there are."""

    rows: list[dict[str, Any]]
    """What each used, its subagents included; `peak` and `level` are the highest of its own window."""
    left_out: int
    totals: dict[str, int]
    """Sums over all sessions, by the names of the rows' columns, and `sessions`."""


def collect(store: sqlite3.Connection, since: int) -> SessionFigures:
    """The sessions with a call since then, the newest first."""
    projects = dict(store.execute("SELECT id, name FROM paths WHERE directory IS NULL").fetchall())
    rows = [dict(row) for row in store.execute(_SESSIONS, (since,))]
    for row in rows:
        row["project"] = projects.get(row["project"], "")
    for table in ("compactions", "warnings"):
        counts = dict(store.execute(_EVENTS.format(table=table), (since,)).fetchall())
        for row in rows:
            row[table] = counts.get(row["session"], 0)
    totals = {name: sum(row[name] for row in rows) for name in _SUMMED}
    return SessionFigures(rows[:_MOST], max(0, len(rows) - _MOST), totals | {"sessions": len(rows)})
