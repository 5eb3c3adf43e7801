"""The sessions: what each used, and all of them together."""

import sqlite3

import msgspec

from history.store.schema import urgency

_MOST = 1_000
"""Rows of the table; a page with many more is slow on a phone."""
_SESSIONS = f"""
    SELECT session,
        min(calls.at) AS first_at, max(calls.at) AS last_at,
        max(CASE WHEN agent IS NULL THEN project END) AS project,
        count(*) AS calls, count(DISTINCT agent) AS subagents,
        sum(input) AS input, sum(cache_creation) AS cache_creation, sum(cache_read) AS cache_read,
        sum(output) AS output,
        max(CASE WHEN agent IS NULL THEN 100.0 * fill / windows.tokens END) AS peak,
        max(CASE WHEN agent IS NULL THEN {urgency("level")} END) AS level
    FROM calls JOIN conversations USING (cycle) JOIN windows ON windows.id = calls.window
    WHERE coalesce(calls.at, 0) >= ?
    GROUP BY session ORDER BY last_at DESC
"""
_HAPPENED = """
    SELECT session, count(*) FROM {table} JOIN conversations USING (cycle)
    WHERE coalesce(at, 0) >= ? GROUP BY session
"""


class SessionRow(msgspec.Struct, frozen=True):
    """What one session used, its subagents included; `peak` and `level` are of its own window."""

    session: str
    project: str
    first_at: int | None
    last_at: int | None
    calls: int
    subagents: int
    input: int
    """Tokens, and so are the next three."""
    cache_creation: int
    cache_read: int
    output: int
    peak: float | None
    """Percent of the window at its fullest; None where its size is unknown."""
    level: int | None
    """The highest that was reached (shared.gauge.levels.Level)."""
    compactions: int
    warnings: int


class SessionFigures(msgspec.Struct, frozen=True):
    """The newest sessions, and how many more there are."""

    rows: list[SessionRow]
    left_out: int
    totals: dict[str, int]
    """Sums over all sessions, by the names of SessionRow's fields, and `sessions`."""


def collect(store: sqlite3.Connection, since: int) -> SessionFigures:
    """The sessions with a call since then, the newest first."""
    projects = dict(store.execute("SELECT id, name FROM paths WHERE directory IS NULL").fetchall())
    compacted, warned = (
        dict(store.execute(_HAPPENED.format(table=table), (since,)).fetchall()) for table in ("compactions", "warnings")
    )
    rows = [
        SessionRow(
            **dict(row) | {"project": projects.get(row["project"], "")},
            compactions=compacted.get(row["session"], 0),
            warnings=warned.get(row["session"], 0),
        )
        for row in store.execute(_SESSIONS, (since,))
    ]
    summed = ("calls", "subagents", "input", "cache_creation", "cache_read", "output", "compactions", "warnings")
    totals = {name: sum(getattr(row, name) for row in rows) for name in summed}
    return SessionFigures(rows[:_MOST], max(0, len(rows) - _MOST), totals | {"sessions": len(rows)})
