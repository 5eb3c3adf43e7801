"""What a collector has taken: kept in the store, so that nothing is lost, and nothing counted twice.

An hour's amount less what has been taken of it is what is still to be sent, however late its transcript was read and
however often it is read again. While the collector is away the store itself holds what it missed, for SPOOL_DAYS.
"""

import sqlite3

import msgspec

from history.store import transaction
from history.telemetry.amounts import Amount, Cell, Series

SPOOL_DAYS = 30
"""What happened longer ago is not sent any more, and the ledger forgets it: both stay small."""
_ACKNOWLEDGED = "telemetry_acknowledged"


class Account(msgspec.Struct, frozen=True):
    """A counter as the collector knows it."""

    total: float
    started: int
    """Epoch nanoseconds, when it was 0."""
    newest: int
    """Of the last point that was taken, in epoch nanoseconds."""


class Ledger(msgspec.Struct):
    """The whole of it, as it was when this sync looked."""

    since: int
    """Epoch seconds: the beginning of the first hour that counts."""
    version: int
    """Rises with every acknowledgement: two syncs at once can't both make theirs out of the same state."""
    accounts: dict[Series, Account]
    taken: dict[Cell, float]

    def outstanding(self, amounts: dict[Cell, Amount]) -> list[Cell]:
        """The cells that hold more than has been taken of them, the oldest first."""
        return sorted(cell for cell, amount in amounts.items() if amount.value > self.taken.get(cell, 0))


def read(store: sqlite3.Connection, now: int) -> Ledger:
    """The ledger as it stands `now`, epoch seconds. Raises sqlite3.Error."""
    since = (now // 3600 - SPOOL_DAYS * 24) * 3600
    series: dict[int, Series] = {}
    accounts = {}
    for number, key, *account in store.execute("SELECT id, key, total, started, newest FROM telemetry_series"):
        series[number] = msgspec.json.decode(key, type=Series)
        accounts[series[number]] = Account(*account)
    cells = store.execute("SELECT hour, series, taken FROM telemetry_cells WHERE hour >= ?", (since,))
    taken = {Cell(hour, series[number]): amount for hour, number, amount in cells}
    row = store.execute("SELECT value FROM meta WHERE key = ?", (_ACKNOWLEDGED,)).fetchone()
    return Ledger(since, row[0] if row else 0, accounts, taken)


def acknowledge(
    store: sqlite3.Connection, ledger: Ledger, taken: dict[Cell, float], accounts: dict[Series, Account]
) -> bool:
    """Note what the collector has taken; False, and nothing is noted, where another sync has been first.

    What was sent then goes once more, with the same totals: a counter that is told twice still counts once.
    """
    with transaction(store):
        store.execute("INSERT OR IGNORE INTO meta VALUES (?, 0)", (_ACKNOWLEDGED,))
        turn = "UPDATE meta SET value = value + 1 WHERE key = ? AND value = ?"
        if store.execute(turn, (_ACKNOWLEDGED, ledger.version)).rowcount == 0:
            return False
        for series in {cell.series for cell in taken}:
            account = accounts.get(series) or Account(0, 0, 0)  # of gauges nothing but the hours is kept
            store.execute(
                "INSERT INTO telemetry_series (key, total, started, newest) VALUES (?, ?, ?, ?) ON CONFLICT (key)"
                " DO UPDATE SET total = excluded.total, started = excluded.started, newest = excluded.newest",
                (msgspec.json.encode(series).decode(), account.total, account.started, account.newest),
            )
        store.executemany(
            "INSERT OR REPLACE INTO telemetry_cells SELECT ?, id, ? FROM telemetry_series WHERE key = ?",
            [(cell.hour, value, msgspec.json.encode(cell.series).decode()) for cell, value in taken.items()],
        )
        store.execute("DELETE FROM telemetry_cells WHERE hour < ?", (ledger.since,))
    ledger.version += 1
    ledger.taken |= taken
    ledger.accounts |= accounts
    return True
