"""What is not kept: rows older than the person wants, and plain paths if they are to be hashed."""

import sqlite3

import msgspec

from history import store
from history.kept_paths import KeptPaths
from history.state import ConversationState
from shared.config import HistorySettings

_DAY = 86_400


def forget(opened: sqlite3.Connection, settings: HistorySettings, now: float) -> None:
    """Delete what is older than `history.keep_days`; `now` is in epoch seconds.

    How far each transcript has been read is kept, so that nothing comes back.
    """
    if settings.keep_days is None:
        return
    before = (int(now) - settings.keep_days * _DAY,)
    opened.execute("DELETE FROM parts WHERE call IN (SELECT id FROM calls WHERE at < ?)", before)
    for table in ("calls", "compactions", "warnings", "rate_limits"):
        opened.execute(f"DELETE FROM {table} WHERE at < ?", before)


def salt_of_paths(opened: sqlite3.Connection, *, is_wanted: bool) -> bytes | None:
    """The salt for this store's paths, from the first sync that is to hash them, and for good; None: not hashed.

    Paths that the store already has are hashed as well.
    """
    values = dict(opened.execute("SELECT key, value FROM meta WHERE key IN ('salt', 'hashes_paths')"))
    salt: bytes = values["salt"]
    if values.get("hashes_paths"):
        return salt
    if not is_wanted:
        return None
    opened.execute("PRAGMA secure_delete = ON")
    with store.transaction(opened):
        _hash_all(opened, KeptPaths(salt))
        opened.execute("INSERT OR REPLACE INTO meta VALUES ('hashes_paths', 1)")
    opened.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return salt


def _hash_all(opened: sqlite3.Connection, paths: KeptPaths) -> None:
    for number, name in opened.execute("SELECT id, name FROM paths").fetchall():
        opened.execute("UPDATE paths SET name = ? WHERE id = ?", (paths.directory(name), number))
    for number, document in opened.execute("SELECT id, state FROM transcripts").fetchall():
        state = msgspec.msgpack.decode(document, type=ConversationState)
        state.directory = paths.directory(state.directory)
        entrants = [*state.entrants, *(state.answer.entrants if state.answer else ())]
        for holder in (*entrants, *state.awaited.values()):
            holder.path = (paths.directory if holder.is_directory else paths.file)(holder.path)
        row = (msgspec.msgpack.encode(state), number)
        opened.execute("UPDATE transcripts SET path = '', state = ? WHERE id = ?", row)
