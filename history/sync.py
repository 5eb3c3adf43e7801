"""The store, updated from the transcripts: all of them, or those of one session that ends."""

import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator

import msgspec

from history import limits, retention, store
from history.processes import ReadingTask, Unreadable, new_bytes, read_all
from history.reading import Batch, StoredReading
from history.schema import PARSER
from history.transcripts import TranscriptFile, all_in, of_session
from history.writing import BatchWriter
from shared.config import Config

Progress = Callable[[int, int], None]
OnWait = Callable[[], object]
_CALLS, _BATCHES = 5_000, 500
"""Calls, and batches, after which a transaction ends, so that another writer gets its turn."""


class SyncResult(msgspec.Struct):
    """What a sync has done."""

    files: int = 0
    """All transcripts."""
    read: int = 0
    """Transcripts that had something new."""
    calls: int = 0
    """Calls of the model that were read, again or for the first time."""
    unreadable: list[Unreadable] = []
    seconds: float = 0.0


def everything(
    root: str, client_directory: str, config: Config, progress: Progress | None = None, on_wait: OnWait | None = None
) -> SyncResult:
    """Update the whole store, and create it if there is none. Raises StoreError, sqlite3.Error, OSError.

    `progress` gets the bytes of transcripts that have been processed, and how many there are in all. `on_wait` is
    called when another writer keeps this one waiting.
    """
    begin = time.monotonic()
    opened = store.for_writing(root)
    try:
        salt = retention.salt_of_paths(opened, is_wanted=config.history.hash_paths)
        files = list(all_in(client_directory))
        result = SyncResult(files=len(files))
        tasks = list(_changed(opened, files))
        size = sum([new_bytes(task) for task in tasks])
        batches = read_all(tasks, config, salt)
        _write_all(opened, batches, result, lambda done: progress and progress(done, size), on_wait)
        with store.transaction(opened, on_wait=on_wait):
            limits.sample(opened, root, config)
            retention.forget(opened, config.history, time.time())
            opened.execute("INSERT OR REPLACE INTO meta VALUES ('synced_at', ?)", (int(time.time()),))
    finally:
        opened.close()
    result.seconds = time.monotonic() - begin
    return result


def one_session(root: str, transcript: str, config: Config, until: float) -> None:
    """Update the store with the session whose transcript that is, and its subagents, before `until`.

    Does nothing if there is no store yet; what there is no time for is left to the next sync, and so is what can't be
    read. `until` is in seconds of time.monotonic. Raises as `everything` does.
    """
    if not store.exists(root):
        return
    opened = store.for_writing(root, busy_seconds=max(0.0, until - time.monotonic()) / 2)
    try:
        salt = retention.salt_of_paths(opened, is_wanted=config.history.hash_paths)
        tasks = list(_changed(opened, of_session(transcript)))
        writer = BatchWriter(opened)
        for batch in read_all(tasks, config, salt, until):
            if isinstance(batch, Batch):
                _write(opened, writer, [batch], until)
        with store.transaction(opened, until):
            limits.sample(opened, root, config)
    finally:
        opened.close()


def _changed(opened: sqlite3.Connection, files: Iterable[TranscriptFile]) -> Iterator[ReadingTask]:
    """The transcripts that have changed since the store read them, each with how far it was read."""
    rows = opened.execute("SELECT key, position, modified, parser FROM transcripts")
    known = {key: (position, modified, parser) for key, position, modified, parser in rows}
    for file in files:
        found = known.get(file.key)
        if found is None:
            yield file, None
        elif found != (file.size, file.modified, PARSER):
            columns = "position, modified, seal, parser, state"
            row = opened.execute(f"SELECT {columns} FROM transcripts WHERE key = ?", (file.key,)).fetchone()
            yield file, StoredReading(*row)


def _write_all(
    opened: sqlite3.Connection,
    batches: Iterator[Batch | Unreadable],
    result: SyncResult,
    progress: Callable[[int], object],
    on_wait: OnWait | None,
) -> None:
    """Write what is read, many batches to a transaction."""
    writer = BatchWriter(opened)
    pending: list[Batch] = []
    read: set[int] = set()
    calls = done = 0
    for batch in batches:
        if isinstance(batch, Unreadable):
            result.unreadable.append(batch)
            continue
        pending.append(batch)
        read.add(batch.file.key)
        calls, done = calls + len(batch.rows.calls), done + batch.position - batch.start
        if calls >= _CALLS or len(pending) >= _BATCHES:
            _write(opened, writer, pending, on_wait=on_wait)
            progress(done)
            result.calls, calls, pending = result.calls + calls, 0, []
    _write(opened, writer, pending, on_wait=on_wait)
    progress(done)
    result.calls, result.read = result.calls + calls, len(read)


def _write(
    opened: sqlite3.Connection,
    writer: BatchWriter,
    batches: list[Batch],
    until: float | None = None,
    on_wait: OnWait | None = None,
) -> None:
    if not batches:
        return
    with store.transaction(opened, until, on_wait):
        writer.write(batches)
