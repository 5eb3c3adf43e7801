"""Updating the store from all transcripts, or from those of one session that ends."""

import sqlite3
import time
from collections.abc import Iterable, Iterator

import msgspec

from history import limits, retention
from history.reading.processes import Unreadable, read_all
from history.reading.reading import TranscriptReading
from history.reading.transcripts import TranscriptFile, all_in, of_session
from history.store import store
from history.store.schema import PARSER
from history.writing import TranscriptWriter
from shared.settings.config import Config

_CALLS = 3_000
"""Calls after which a transaction ends, so that another writer gets its turn."""


class SyncResult(msgspec.Struct):
    files: int = 0
    """All transcripts."""
    read: int = 0
    """Transcripts that had something new."""
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
        writer = TranscriptWriter(opened)
        for group in _groups(read_all(_changed(opened, files), config, paths), result.unreadable):
            with store.transaction(opened):
                result.unreadable += filter(None, map(writer.write, group))
            result.read += len(group)
        with store.transaction(opened):
            _finish(opened, root, config)
            opened.execute("INSERT OR REPLACE INTO meta VALUES ('synced_at', ?)", (int(time.time()),))
        result.is_erased = retention.erase(opened)
    result.seconds = time.monotonic() - begin
    return result


def one_session(root: str, transcript: str, config: Config, until: float) -> None:
    """Update the existing store with the session at `transcript` and its subagents, before `until`.

    What there is no time for is left to the next sync, and so is what can't be read. `until` is in seconds of
    time.monotonic. Raises as `everything` does.
    """
    third = (until - time.monotonic()) / 3  # calls with little text take twice as long to replace as to read
    with store.for_writing(root, busy_seconds=max(0.0, third)) as opened:
        paths = retention.hash_paths(opened, is_wanted=config.history.hash_paths)
        readings = list(read_all(_changed(opened, of_session(transcript)), config, paths, until - 2 * third))
        writer = TranscriptWriter(opened)
        with store.transaction(opened, until):
            for reading in readings:
                if isinstance(reading, TranscriptReading):
                    writer.write(reading)
            _finish(opened, root, config)


def _changed(opened: sqlite3.Connection, files: Iterable[TranscriptFile]) -> list[TranscriptFile]:
    rows = opened.execute("SELECT key, position, modified, parser FROM transcripts")
    stored = {key: state for key, *state in rows}
    return [file for file in files if stored.get(file.key) != [file.size, file.modified, PARSER]]


def _groups(
    readings: Iterable[TranscriptReading | Unreadable], unreadable: list[Unreadable]
) -> Iterator[list[TranscriptReading]]:
    """Yield the readings of each transaction; transcripts that could not be read are added to `unreadable`."""
    group: list[TranscriptReading] = []
    calls = 0
    for reading in readings:
        if isinstance(reading, Unreadable):
            unreadable.append(reading)
            continue
        group.append(reading)
        calls += len(reading.rows.calls)
        if calls >= _CALLS:
            yield group
            group, calls = [], 0
    if group:
        yield group


def _finish(opened: sqlite3.Connection, root: str, config: Config) -> None:
    limits.sample(opened, root)
    retention.forget(opened, config.history, time.time())
