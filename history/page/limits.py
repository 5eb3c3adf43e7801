"""Rate limits: how much of the account's five hours and seven days was used."""

import sqlite3

import msgspec

_MOST_POINTS = 600
_NAMES = {"5h": "five hours", "7d": "seven days"}


class LimitFigures(msgspec.Struct, frozen=True):
    """One rate limit over time."""

    name: str
    times: list[int]
    used: list[float]
    """Percent."""
    days: list[tuple[str, float]]
    """The most that was used on each day, by this machine's clock."""


def collect(store: sqlite3.Connection, since: int) -> tuple[LimitFigures, ...]:
    """The client's numbers since then; no entry for a limit that it didn't mention."""
    names = [name for (name,) in store.execute("SELECT DISTINCT name FROM rate_limits WHERE at >= ?", (since,))]
    return tuple(_limit(store, name, since) for name in sorted(names))


def _limit(store: sqlite3.Connection, name: str, since: int) -> LimitFigures:
    values = (name, since)
    rows = store.execute("SELECT at, used FROM rate_limits WHERE name = ? AND at >= ? ORDER BY at", values).fetchall()
    days = store.execute(
        "SELECT date(at, 'unixepoch', 'localtime') AS day, max(used) FROM rate_limits "
        "WHERE name = ? AND at >= ? GROUP BY day ORDER BY day",
        values,
    )
    stretch = -(-len(rows) // _MOST_POINTS)
    stretches = (rows[start : start + stretch] for start in range(0, len(rows), stretch))
    points = [max(together, key=lambda row: float(row["used"])) for together in stretches]
    return LimitFigures(
        name=_NAMES.get(name, name),
        times=[row["at"] for row in points],
        used=[row["used"] for row in points],
        days=[(day, used) for day, used in days],
    )
