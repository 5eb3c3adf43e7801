"""The ledger of what a collector has taken: recorded in the store, so that nothing is lost or counted twice.

An hour's amount minus what has been taken of it is still to be sent, however late its transcript was read and
however often it is read again. While the collector is away the store itself holds what it missed, for SPOOL_DAYS.
"""

import sqlite3

import msgspec

from history.store.store import transaction
from history.telemetry.amounts import Amount, Attributes, Cell
from history.telemetry.metrics import Metric
from shared.files import pruning

SPOOL_DAYS = 30
"""Days after which figures are no longer sent, and the ledger forgets them, so both stay small."""
_VERSION = "telemetry_version"
_SECOND = 1_000_000_000


class Account(msgspec.Struct, frozen=True):
    """A counter as the collector knows it: the columns of `telemetry_accounts`."""

    total: float
    started: int
    newest: int


class Point(msgspec.Struct, frozen=True):
    metric: Metric
    attributes: Attributes
    at: int
    """Epoch nanoseconds."""
    value: float
    started: int | None = None
    """When a counter began, in epoch nanoseconds; None for a gauge."""


class Ledger:
    """The ledger as it was when this sync began, and what was sent since; after a failure, read a new one."""

    def __init__(self, opened: sqlite3.Connection, now: int) -> None:
        """Read the ledger from the store; `now` is in epoch seconds. Raises sqlite3.Error."""
        self._store, self._now = opened, now
        self.since = (now // 3600 - SPOOL_DAYS * 24) * 3600
        """Epoch seconds: the beginning of the first hour that counts."""
        row = opened.execute("SELECT value FROM meta WHERE key = ?", (_VERSION,)).fetchone()
        self._version = row[0] if row else 0
        """Rises with every acknowledgement, so that two concurrent syncs can't both write from the same state."""
        rows = opened.execute("SELECT series, total, started, newest FROM telemetry_accounts")
        self._accounts = {series: Account(*account) for series, *account in rows}
        cells = opened.execute("SELECT hour, series, taken FROM telemetry_cells WHERE hour >= ?", (self.since,))
        self.sent: dict[Cell, float] = {(hour, series): amount for hour, series, amount in cells}
        """The amount taken of each cell, the newest points included."""
        self._newest: list[Cell] = []
        """The cells of the newest points, to record once those have been accepted."""

    def points(self, cells: list[Cell], amounts: dict[Cell, Amount], now: int) -> list[Point]:
        """The points of `cells`, which are in the order of time; `now` is in epoch nanoseconds.

        A point's time is its hour's end, or now during the hour. A counter's point is always later than the one
        before: engines reject a past that changes, so what was read late counts from then on. A new counter begins
        with a point of 0, for engines that take the first figure they see as the start.
        """
        points: list[Point] = []
        self._newest = cells
        for hour, series in cells:
            amount = amounts[hour, series]
            end = min((hour + 3600) * _SECOND, now)
            if amount.gauges is None:
                account = self._accounts.get(series)
                if account is None:
                    start = min(hour * _SECOND, end - 1)
                    account = Account(0, start, start)
                    points.append(Point(amount.metric, amount.attributes, start, 0, start))
                total = account.total + amount.value - self.sent.get((hour, series), 0)
                account = Account(total, account.started, max(end, account.newest + _SECOND // 1000))
                self._accounts[series] = account
                points.append(Point(amount.metric, amount.attributes, account.newest, total, account.started))
            else:
                figures = amount.gauges.items()
                points += [Point(metric, amount.attributes, end, value) for metric, value in figures]
            self.sent[hour, series] = amount.value
        return points

    def acknowledge(self) -> bool:
        """Record that the collector has taken the newest points; if another sync was first, return False instead.

        What was sent is then sent again, with the same totals: a counter sent twice still counts once.
        """
        with transaction(self._store):
            self._store.execute("INSERT OR IGNORE INTO meta VALUES (?, 0)", (_VERSION,))
            turn = "UPDATE meta SET value = value + 1 WHERE key = ? AND value = ?"
            if self._store.execute(turn, (_VERSION, self._version)).rowcount == 0:
                return False
            counted = {series for _, series in self._newest} & self._accounts.keys()
            self._store.executemany(
                "INSERT OR REPLACE INTO telemetry_accounts (series, total, started, newest) VALUES (?, ?, ?, ?)",
                [(series, *msgspec.structs.astuple(self._accounts[series])) for series in counted],
            )
            self._store.executemany(
                "INSERT OR REPLACE INTO telemetry_cells (hour, series, taken) VALUES (?, ?, ?)",
                [(*cell, self.sent[cell]) for cell in self._newest],
            )
            hours = (hour for (hour,) in self._store.execute("SELECT DISTINCT hour FROM telemetry_cells"))
            before = pruning.outlived_before(hours, self._now, SPOOL_DAYS * pruning.DAY)
            self._store.execute("DELETE FROM telemetry_cells WHERE hour < ?", (before,))
        self._version += 1
        return True
