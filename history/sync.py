"""The store, updated from the transcripts: all of them, or those of one session that ends."""

import sqlite3
import time
from collections.abc import Iterable, Iterator

import msgspec

from history import limits, retention
from history.reading.processes import UNEXPECTED, ReadingTask, Unreadable, read_all
from history.reading.reading import Batch, StoredReading
from history.reading.transcripts import TranscriptFile, all_in, of_session
from history.store import store
from history.store.schema import PARSER
from history.writing import BatchWriter
from shared.settings.config import Config

_CALLS, _BATCHES = 5_000, 500
"""Calls, and batches, after which a transaction ends, so that another writer gets its turn."""
_UNWRITABLE = (*UNEXPECTED, sqlite3.IntegrityError, sqlite3.InterfaceError)
"""What a row that the store doesn't take raises; any other error is the store's own, and ends the sync."""


class SyncResult(msgspec.Struct):
    files: int = 0
    """All transcripts."""
    read: int = 0
    """Transcripts that had something new."""
    calls: int = 0
    """Calls of the model that were read, again or for the first time."""
    unreadable: list[Unreadable] = []
    is_erased: bool = True
    """Whether no plain path is left in the file of a store that hashes them."""
    seconds: float = 0.0


def everything(root: str, client_directory: str, config: Config) -> SyncResult:
    """Update the whole store, and create it if there is none. Raises StoreError, sqlite3.Error, OSError."""
    begin = time.monotonic()
    with store.for_writing(root) as opened:
        paths = retention.hash_paths(opened, is_wanted=config.history.hash_paths)
        files = list(all_in(client_directory))
        result = SyncResult(files=len(files))
        _write_all(opened, read_all(list(_changed(opened, files)), config, paths), result)
        with store.transaction(opened):
            limits.sample(opened, root)
            retention.forget(opened, config.history, time.time())
            opened.execute("INSERT OR REPLACE INTO meta VALUES ('synced_at', ?)", (int(time.time()),))
        result.is_erased = retention.erase(opened)
    result.seconds = time.monotonic() - begin
    return result


def one_session(root: str, transcript: str, config: Config, until: float) -> None:
    """Update the store, which exists, with the session whose transcript that is, and its subagents, before `until`.

    What there is no time for is left to the next sync, and so is what can't be read. `until` is in seconds of
    time.monotonic. Raises as `everything` does.
    """
    with store.for_writing(root, busy_seconds=max(0.0, until - time.monotonic()) / 2) as opened:
        paths = retention.hash_paths(opened, is_wanted=config.history.hash_paths)
        tasks = list(_changed(opened, of_session(transcript)))
        writer = BatchWriter(opened, until)
        for batch in read_all(tasks, config, paths, until):
            if isinstance(batch, Batch):
                writer.write([batch])
        with store.transaction(opened, until):
            limits.sample(opened, root)


def _changed(opened: sqlite3.Connection, files: Iterable[TranscriptFile]) -> Iterator[ReadingTask]:
    """The transcripts that have changed since the store read them, each with how far it was read."""
    rows = opened.execute("SELECT key, position, modified, parser FROM transcripts")
    stored = {key: (position, modified, parser) for key, position, modified, parser in rows}
    for file in files:
        before = stored.get(file.key)
        if before is None:
            yield file, None
        elif before != (file.size, file.modified, PARSER):
            columns = "position, modified, checksum, parser, state"
            row = opened.execute(f"SELECT {columns} FROM transcripts WHERE key = ?", (file.key,)).fetchone()
            yield file, StoredReading(*row)


def _write_all(opened: sqlite3.Connection, batches: Iterator[Batch | Unreadable], result: SyncResult) -> None:
    """Write what is read, many batches to a transaction."""
    writer, read = BatchWriter(opened), set[int]()
    for group in _groups(batches, result.unreadable):
        try:
            writer.write(group)
        except _UNWRITABLE:
            result.unreadable += _write_each(opened, group)
            writer = BatchWriter(opened)
        read.update(batch.file.key for batch in group)
        result.calls += sum(len(batch.rows.calls) for batch in group)
    result.read = len(read)


def _groups(batches: Iterable[Batch | Unreadable], unreadable: list[Unreadable]) -> Iterator[list[Batch]]:
    """Yield what one transaction takes; transcripts that could not be read are added to `unreadable`."""
    group: list[Batch] = []
    calls = 0
    for batch in batches:
        if isinstance(batch, Unreadable):
            unreadable.append(batch)
            continue
        group.append(batch)
        calls += len(batch.rows.calls)
        if calls >= _CALLS or len(group) >= _BATCHES:
            yield group
            group, calls = [], 0
    if group:
        yield group


def _write_each(opened: sqlite3.Connection, batches: list[Batch]) -> Iterator[Unreadable]:
    """Write `batches` one by one, and yield those that the store doesn't take."""
    for batch in batches:
        try:
            BatchWriter(opened).write([batch])
        except _UNWRITABLE as problem:
            yield Unreadable(batch.file.path_text, f"not stored: {type(problem).__name__}: {problem}")
