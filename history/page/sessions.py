"""The sessions: what each used, and all of them together."""

import sqlite3
from typing import Any

import msgspec

from history.store.schema import urgency

_MOST = 1_000
"""Rows of the table; a page with many more is slow on a phone."""
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


class SessionFigures(msgspec.Struct, frozen=True):
    """The newest sessions, and how many more there are."""

    rows: list[dict[str, Any]]
    """What each used, its subagents included; `peak` and `level` are the highest of its own window."""
    left_out: int
    totals: dict[str, int]
    """Sums over all sessions, by the names of the rows' columns, and `sessions`."""


def collect(store: sqlite3.Connection, since: int) -> SessionFigures:
    """The sessions with a call since then, the newest first."""
    rows = [dict(row) for row in store.execute(_SESSIONS, {"since": since})]
    totals = {name: sum(row[name] for row in rows) for name in _SUMMED}
    return SessionFigures(rows[:_MOST], max(0, len(rows) - _MOST), totals | {"sessions": len(rows)})
