"""What is not kept: rows older than the person wants, and paths where they are to be hashed."""

import sqlite3

from history.digest import digest_of
from shared.config import HistorySettings

_DAY = 86_400


def forget(store: sqlite3.Connection, settings: HistorySettings, now: float) -> None:
    """Take out what is older than `history.keep_days`; `now` is in epoch seconds.

    How far each transcript has been read stays, so that nothing comes back.
    """
    if settings.keep_days is None:
        return
    before = (int(now) - settings.keep_days * _DAY,)
    store.execute("DELETE FROM parts WHERE call IN (SELECT id FROM calls WHERE at < ?)", before)
    for table in ("calls", "compactions", "warnings", "rate_limits"):
        store.execute(f"DELETE FROM {table} WHERE at < ?", before)


def hash_paths(store: sqlite3.Connection, *, is_wanted: bool) -> bool:
    """Whether this store hashes paths: from the first sync on that is told to, and for good."""
    values = dict(store.execute("SELECT key, value FROM meta WHERE key IN ('salt', 'hashes_paths')"))
    if values.get("hashes_paths") or not is_wanted:
        return bool(values.get("hashes_paths"))
    for number, name in store.execute("SELECT id, name FROM paths").fetchall():
        hashed = f"{digest_of(name, values['salt']):016x}"
        store.execute("UPDATE paths SET name = ? WHERE id = ?", (hashed, number))
    store.execute("UPDATE transcripts SET path = ''")
    store.execute("INSERT OR REPLACE INTO meta VALUES ('hashes_paths', 1)")
    return True
