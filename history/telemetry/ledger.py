"""What a collector has taken: recorded in the store, so that nothing is lost or counted twice.

An hour's amount minus what has been taken of it is still to be sent, however late its transcript was read and
however often it is read again. While the collector is away the store itself holds what it missed, for SPOOL_DAYS.
"""

import sqlite3

import msgspec

from history.store.digest import digest_of
from history.store.store import transaction
from history.telemetry.amounts import Amount, Cell

SPOOL_DAYS = 30
"""What is older is no longer sent, and the ledger forgets it, so both stay small."""
_VERSION = "telemetry_version"


class Account(msgspec.Struct, frozen=True):
    """A counter as the collector knows it."""

    total: float
    started: int
    """Epoch nanoseconds, when it was 0."""
    newest: int
    """The time of the last point that was taken, in epoch nanoseconds."""


class Ledger(msgspec.Struct):
    """The ledger as it was when this sync began. A series names a project, and is stored as a salted digest."""

    salt: bytes
    since: int
    """Epoch seconds: the beginning of the first hour that counts."""
    version: int
    """Rises with every acknowledgement, so that two concurrent syncs can't both write from the same state."""
    accounts: dict[int, Account]
    """The counters' accounts, by their series."""
    sent: dict[tuple[int, int], float]
    """What has been taken, by hour and series."""

    def outstanding(self, amounts: dict[Cell, Amount]) -> list[Cell]:
        """The cells that hold more than has been taken of them, the oldest first."""
        return sorted(cell for cell, amount in amounts.items() if amount.value > self.sent_of(cell))

    def sent_of(self, cell: Cell) -> float:
        """How much of an hour of a series has been taken."""
        return self.sent.get((cell.hour, self.series_of(cell)), 0)

    def series_of(self, cell: Cell) -> int:
        """Its series as the store knows it."""
        return digest_of(msgspec.json.encode((cell.metric, cell.attributes)).decode(), self.salt)


def read(store: sqlite3.Connection, now: int) -> Ledger:
    """The ledger as it stands `now`, epoch seconds. Raises sqlite3.Error."""
    since = (now // 3600 - SPOOL_DAYS * 24) * 3600
    facts = dict(store.execute("SELECT key, value FROM meta WHERE key IN ('salt', ?)", (_VERSION,)).fetchall())
    rows = store.execute("SELECT series, total, started, newest FROM telemetry_accounts")
    accounts = {series: Account(*account) for series, *account in rows}
    cells = store.execute("SELECT hour, series, taken FROM telemetry_cells WHERE hour >= ?", (since,))
    sent = {(hour, series): amount for hour, series, amount in cells}
    return Ledger(facts["salt"], since, facts.get(_VERSION, 0), accounts, sent)


def acknowledge(
    store: sqlite3.Connection, ledger: Ledger, sent: dict[tuple[int, int], float], accounts: dict[int, Account]
) -> bool:
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
            [(series, *msgspec.structs.astuple(account)) for series, account in accounts.items()],
        )
        store.executemany(
            "INSERT OR REPLACE INTO telemetry_cells (hour, series, taken) VALUES (?, ?, ?)",
            [(*cell, amount) for cell, amount in sent.items()],
        )
        store.execute("DELETE FROM telemetry_cells WHERE hour < ?", (ledger.since,))
    ledger.version += 1
    ledger.sent |= sent
    ledger.accounts |= accounts
    return True
