"""What a collector has taken: recorded in the store, so that nothing is lost or counted twice.

An hour's amount minus what has been taken of it is still to be sent, however late its transcript was read and
however often it is read again. While the collector is away the store itself holds what it missed, for SPOOL_DAYS.
"""

import sqlite3

import msgspec

from history.store.store import transaction
from history.telemetry.amounts import Amount, Attributes, Cell
from history.telemetry.metrics import Metric

SPOOL_DAYS = 30
"""What is older is no longer sent, and the ledger forgets it, so both stay small."""
_VERSION = "telemetry_version"
_SECOND = 1_000_000_000


class Account(msgspec.Struct, frozen=True):
    """A counter as the collector knows it. Times are epoch nanoseconds."""

    total: float
    started: int
    """When it was 0."""
    newest: int
    """The time of the last point that was taken."""


class Point(msgspec.Struct, frozen=True):
    metric: Metric
    attributes: Attributes
    at: int
    """Epoch nanoseconds."""
    value: float
    started: int | None = None
    """Since when a counter counts, in epoch nanoseconds; None: a gauge's."""


class Delivery(msgspec.Struct):
    """The contents of one request, and what to record once it has been accepted."""

    points: list[Point] = []
    sent: dict[Cell, float] = {}
    """As in the ledger, and so are the accounts."""
    accounts: dict[int, Account] = {}


class Ledger(msgspec.Struct):
    """The ledger as it was when this sync began."""

    since: int
    """Epoch seconds: the beginning of the first hour that counts."""
    version: int
    """Rises with every acknowledgement, so that two concurrent syncs can't both write from the same state."""
    accounts: dict[int, Account]
    """The counters' accounts, by their series."""
    sent: dict[Cell, float]
    """What has been taken of each cell."""

    def delivery(self, cells: list[Cell], amounts: dict[Cell, Amount], now: int) -> Delivery:
        """The points of `cells`, which are in the order of time; `now` is in epoch nanoseconds.

        A point's time is its hour's end, or now during the hour. A counter's point is always later than the one
        before: engines reject a past that changes, so what was read late counts from then on. A new counter begins
        with a point of 0, for engines that take the first figure they see as the start.
        """
        result = Delivery()
        for hour, series in cells:
            amount = amounts[hour, series]
            end = min((hour + 3600) * _SECOND, now)
            if amount.gauges is None:
                account = result.accounts.get(series) or self.accounts.get(series)
                if account is None:
                    start = min(hour * _SECOND, end - 1)
                    account = Account(0, start, start)
                    result.points.append(Point(amount.metric, amount.attributes, start, 0, start))
                total = account.total + amount.value - self.sent.get((hour, series), 0)
                account = Account(total, account.started, max(end, account.newest + _SECOND // 1000))
                result.accounts[series] = account
                result.points.append(Point(amount.metric, amount.attributes, account.newest, total, account.started))
            else:
                figures = amount.gauges.items()
                result.points += [Point(metric, amount.attributes, end, value) for metric, value in figures]
            result.sent[hour, series] = amount.value
        return result


def read(store: sqlite3.Connection, now: int) -> Ledger:
    """The ledger as it stands `now`, epoch seconds. Raises sqlite3.Error."""
    since = (now // 3600 - SPOOL_DAYS * 24) * 3600
    row = store.execute("SELECT value FROM meta WHERE key = ?", (_VERSION,)).fetchone()
    rows = store.execute("SELECT series, total, started, newest FROM telemetry_accounts")
    accounts = {series: Account(*account) for series, *account in rows}
    cells = store.execute("SELECT hour, series, taken FROM telemetry_cells WHERE hour >= ?", (since,))
    sent = {(hour, series): amount for hour, series, amount in cells}
    return Ledger(since, row[0] if row else 0, accounts, sent)


def acknowledge(store: sqlite3.Connection, ledger: Ledger, delivery: Delivery) -> bool:
    """Record what the collector has taken; False, and nothing is recorded, if another sync was first.

    What was sent is then sent again, with the same totals: a counter sent twice still counts once.
    """
    with transaction(store):
        store.execute("INSERT OR IGNORE INTO meta VALUES (?, 0)", (_VERSION,))
        turn = "UPDATE meta SET value = value + 1 WHERE key = ? AND value = ?"
        if store.execute(turn, (_VERSION, ledger.version)).rowcount == 0:
            return False
        store.executemany(
            "INSERT OR REPLACE INTO telemetry_accounts (series, total, started, newest) VALUES (?, ?, ?, ?)",
            [(series, *msgspec.structs.astuple(account)) for series, account in delivery.accounts.items()],
        )
        store.executemany(
            "INSERT OR REPLACE INTO telemetry_cells (hour, series, taken) VALUES (?, ?, ?)",
            [(*cell, amount) for cell, amount in delivery.sent.items()],
        )
        store.execute("DELETE FROM telemetry_cells WHERE hour < ?", (ledger.since,))
    ledger.version += 1
    ledger.sent |= delivery.sent
    ledger.accounts |= delivery.accounts
    return True
