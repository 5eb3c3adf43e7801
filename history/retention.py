"""Removal from the store: of rows older than the person wants, and of plain paths if they must be hashed."""

import sqlite3

from history.store import store
from history.store.stored_paths import StoredPaths, paths_of
from shared.files import pruning
from shared.settings.config import HistorySettings

_PATIENCE = 1.0
"""Seconds that a sync waits for a process that reads pages with plain paths."""
_PLAIN = "plain_paths"
"""The key in `meta` which says that the file's free space still holds paths from before they were hashed."""


def forget(opened: sqlite3.Connection, settings: HistorySettings, now: float) -> None:
    """Delete what is older than `keep_days`, after each reading, which may bring it back; `now` is in epoch seconds."""
    if settings.keep_days is None:
        return
    times = (at for (at,) in opened.execute(f"SELECT DISTINCT at / {pruning.DAY} * {pruning.DAY} FROM calls") if at)
    before = (int(pruning.outlived_before(times, now, settings.keep_days * pruning.DAY)),)
    opened.execute("DELETE FROM parts WHERE call IN (SELECT id FROM calls WHERE at < ?)", before)
    for table in ("calls", "compactions", "warnings", "rate_limits"):
        opened.execute(f"DELETE FROM {table} WHERE at < ?", before)


def hash_paths(opened: sqlite3.Connection, *, is_wanted: bool) -> StoredPaths:
    """Hash the store's paths irreversibly, from the first sync with that setting on; return how they are stored.

    Paths that it already has are hashed as well, and this sync reads all transcripts again; `erase` then removes plain
    paths from the file's free space.
    """
    paths = paths_of(opened)
    if paths.is_hashed or not is_wanted:
        return paths
    paths = StoredPaths(store.salt(opened))
    with store.transaction(opened):
        for number, name in opened.execute("SELECT id, name FROM paths").fetchall():
            opened.execute("UPDATE paths SET name = ? WHERE id = ?", (paths.directory(name), number))
        opened.execute("UPDATE transcripts SET path = '', state = x'', position = 0")
        opened.execute("INSERT OR REPLACE INTO meta VALUES ('hashes_paths', 1), (?, 1)", (_PLAIN,))
    return paths


def erase(opened: sqlite3.Connection) -> bool:
    """Rewrite the store's file if its free space has plain paths; return False while another process reads it.

    SQLite's `secure_delete` leaves names in pages that it splits and joins, and a reader keeps the old pages alive.
    """
    if opened.execute("SELECT 1 FROM meta WHERE key = ?", (_PLAIN,)).fetchone() is None:
        return True
    opened.execute("PRAGMA temp_store = FILE")  # VACUUM copies the whole store
    opened.execute("VACUUM")
    store.wait_at_most(opened, _PATIENCE)
    ((is_busy, _, _),) = opened.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    if is_busy:
        return False
    opened.execute("DELETE FROM meta WHERE key = ?", (_PLAIN,))
    return True
