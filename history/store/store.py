"""The store: one SQLite file in the person's data directory, opened for writing or read-only."""

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager

from history.store import schema
from shared import paths
from shared.files import files

RENEWAL = "move it away and run `tidegauge history sync`"
"""The remedy for a file that can't be the store."""
_BUSY_SECONDS = 30.0
"""Seconds that one writer waits for another: each locks the store for some thousand calls at a time."""
_POLL_SECONDS = 0.01
_CACHE_KIBIBYTES, _CHECKPOINT_PAGES = 8_000, 4_000
"""Keys come in no order: with SQLite's default of 2,000 a first sync writes most pages several times."""

_PAGE_BYTES = 8_192
"""The page size of a new store. SQLite's default of 4,096 doubles what a first sync has to copy and check."""


class StoreError(Exception):
    """Why the store can't be used: one line that names the file, and what to do."""


def exists(root: str) -> bool:
    """Whether there has been a first `tidegauge history sync`."""
    return os.path.isfile(paths.history_store(root))


@contextmanager
def for_writing(root: str, busy_seconds: float = _BUSY_SECONDS) -> Iterator[sqlite3.Connection]:
    """Open the store, created or migrated if needed, and close it. Raises StoreError, sqlite3.Error and OSError."""
    path = paths.history_store(root)
    files.make_directories(os.path.dirname(path))
    _refuse_links(path)
    # SQLite gives its own files the mode of this one.
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, files.PRIVATE_FILE))
    for name in (os.path.dirname(path), *_files_of(path)):
        files.make_private(name)
    with closing(sqlite3.connect(path, timeout=busy_seconds, isolation_level=None)) as store:
        version = _version(store, path)
        store.execute(f"PRAGMA page_size = {_PAGE_BYTES}")
        _use_wal(store, busy_seconds)
        store.execute("PRAGMA synchronous = NORMAL")  # with WAL a power cut may cost the last rows, never the store
        store.execute("PRAGMA temp_store = MEMORY")  # what a savepoint may have to restore: a few pages
        store.execute(f"PRAGMA cache_size = -{_CACHE_KIBIBYTES}")
        store.execute(f"PRAGMA wal_autocheckpoint = {_CHECKPOINT_PAGES}")
        if version != schema.SCHEMA:
            _migrate(store, path)
        yield store


def _use_wal(store: sqlite3.Connection, busy_seconds: float) -> None:
    """Switch a new store to WAL; here SQLite itself doesn't wait for another process that is doing so."""
    end = time.monotonic() + busy_seconds
    while True:
        try:
            store.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as problem:
            if problem.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                raise
            time.sleep(_POLL_SECONDS)
        else:
            return


@contextmanager
def for_reading(root: str, busy_seconds: float = _BUSY_SECONDS) -> Iterator[sqlite3.Connection]:
    """Open the store as it is, read-only, and close it; rows are sqlite3.Row. Raises StoreError and sqlite3.Error."""
    path = paths.history_store(root)
    _refuse_links(path)
    try:
        os.stat(path)
    except FileNotFoundError:
        raise StoreError(f"{path} doesn't exist yet: run `tidegauge history sync` first") from None
    except OSError as problem:
        raise StoreError(f"{path} can't be read: {problem.strerror}") from None
    with closing(sqlite3.connect(path, timeout=busy_seconds, isolation_level=None)) as store:
        store.execute("PRAGMA query_only = ON")  # mode=ro can't read a WAL where its directory is read-only for us, too
        version = _version(store, path)
        if version != schema.SCHEMA:
            raise StoreError(f"{path} is of version {version}, not {schema.SCHEMA}: run `tidegauge history sync` first")
        store.row_factory = sqlite3.Row
        yield store


@contextmanager
def transaction(store: sqlite3.Connection, until: float | None = None) -> Iterator[None]:
    """Run the block as one write transaction. Raises sqlite3.OperationalError if locked until `until` (monotonic)."""
    if until is not None:
        wait_at_most(store, until - time.monotonic())
    store.execute("BEGIN IMMEDIATE")
    with store:
        yield


def _refuse_links(path: str) -> None:
    """Raise StoreError for a link, through which we would write to someone else's file, or read it; or for no file."""
    for name in _files_of(path):
        if os.path.islink(name):
            raise StoreError(f"{name} is a link, which Tidegauge doesn't follow: move the file itself here")
        if os.path.exists(name) and not os.path.isfile(name):
            raise StoreError(f"{name} is not a file: {RENEWAL}")


def _files_of(path: str) -> tuple[str, ...]:
    """The store's file and those that SQLite puts next to it."""
    return (path, f"{path}-wal", f"{path}-shm", f"{path}-journal")


def salt(store: sqlite3.Connection) -> bytes:
    """The random bytes, made with the store, that salt its hashes."""
    ((value,),) = store.execute("SELECT value FROM meta WHERE key = 'salt'")
    return bytes(value)


def wait_at_most(store: sqlite3.Connection, seconds: float) -> None:
    """Limit the time for which statements wait for other processes, from now on."""
    store.execute(f"PRAGMA busy_timeout = {max(0, int(1_000 * seconds))}")


def is_locked(problem: sqlite3.OperationalError) -> bool:
    """Whether another writer held the store for too long."""
    return "locked" in str(problem)


def _migrate(store: sqlite3.Connection, path: str) -> None:
    """Migrate the store to today's tables. Raises StoreError for a version without a migration."""
    with transaction(store):
        version = _version(store, path)  # again, within the transaction: another process may have been first
        if version == schema.SCHEMA:
            return
        if (script := schema.migration(version)) is None:
            raise StoreError(f"{path} is of version {version}, which nothing migrates: {RENEWAL}")
        for statement in _statements(script):
            store.execute(statement)
        store.execute(f"PRAGMA application_id = {schema.APPLICATION}")
        store.execute(f"PRAGMA user_version = {schema.SCHEMA}")
        store.execute("INSERT OR IGNORE INTO meta VALUES ('salt', ?)", (os.urandom(16),))


def _version(store: sqlite3.Connection, path: str) -> int:
    """The version of the schema; 0 for a new store. Raises StoreError for a file that isn't ours, or is newer."""
    try:
        ((tables,),) = store.execute("SELECT count(*) FROM sqlite_master")  # first: another process may make them now
        ((application,),) = store.execute("PRAGMA application_id")
        ((version,),) = store.execute("PRAGMA user_version")
    except (sqlite3.DatabaseError, UnicodeDecodeError) as problem:  # SQLite's message quotes a damaged schema
        if isinstance(problem, sqlite3.OperationalError):
            raise
        raise StoreError(f"{path} is not a Tidegauge store ({problem}): {RENEWAL}") from None
    if tables and application != schema.APPLICATION:
        raise StoreError(f"{path} belongs to another program: {RENEWAL}")
    if version > schema.SCHEMA:
        raise StoreError(
            f"{path} was written by a newer Tidegauge (version {version}): update your clone and install it"
        )
    return int(version)


def _statements(script: str) -> Iterator[str]:
    """The statements of a script one by one: sqlite3's own executescript commits first."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
