"""Writing readings as rows: a transcript's content replaces what the store had of it, completely or not at all.

A call, a compaction or a warning that several transcripts have is stored once. It belongs to the first one written;
a call to the first of those with its largest usage, with that one's growth and parts.
"""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

from msgspec.structs import asdict, astuple

from history.reading.processes import UNEXPECTED, Unreadable
from history.reading.reading import TranscriptReading
from history.store.dictionary import Dictionary
from history.store.rows import CallRow, CompactionRow, WarningRow
from history.store.schema import PARSER
from history.store.stored_paths import paths_of

_UNWRITABLE = (*UNEXPECTED, sqlite3.IntegrityError, sqlite3.InterfaceError)
"""Errors that a row which the store doesn't take raises; any other error is the store's own."""
_NEW_TRANSCRIPT = (
    "INSERT INTO transcripts (path, project, version, first_at, last_at, position, modified, parser, checksum, state,"
    " key, session, agent) VALUES (?,?,?,?,?,?,?,?,x'',x'',?,?,?)"
)
_TRANSCRIPT = (
    "UPDATE transcripts SET path = ?, project = coalesce(?, project), version = coalesce(nullif(?, ''), version),"
    " first_at = coalesce(?, first_at), last_at = coalesce(?, last_at), position = ?, modified = ?, parser = ?,"
    " checksum = x'', state = x'' WHERE id = ?"
)
"""Known values stay if the file has lost them: a power cut may leave it full of zeros."""
_CYCLE = (
    "INSERT INTO cycles (transcript, number, answers) VALUES (?,?,?) ON CONFLICT (transcript, number) DO UPDATE"
    " SET answers = max(excluded.answers, (SELECT coalesce(max(step), 0) FROM calls"
    " WHERE cycle = cycles.id AND abandoned IS NULL))"
)
"""If the file has lost calls, those stored may go further than what it has now."""
_CALL = f"INSERT OR IGNORE INTO calls (id, {', '.join(CallRow.__struct_fields__[:-1])})"
_USAGE = "input + cache_creation + cache_read + output"
_PART = "INSERT INTO parts (call, number, kind, certainty, tokens, bytes, name, path, subagent)"
_ROWS = 25
"""Rows that one INSERT adds: it takes three fifths of the time of as many statements."""


class TranscriptWriter:
    """A writer to one store, within the caller's transactions."""

    def __init__(self, opened: sqlite3.Connection) -> None:
        self._store = opened
        self._dictionary = Dictionary(opened)

    def write(self, reading: TranscriptReading) -> Unreadable | None:
        """Write all of a reading; if the store refuses a row, write nothing of it, and return why."""
        self._store.execute("SAVEPOINT reading")
        refused = None
        try:
            self._replace(reading)
        except _UNWRITABLE as problem:
            self._store.execute("ROLLBACK TO reading")
            self._dictionary = Dictionary(self._store)  # the old one has ids that are gone
            refused = Unreadable(reading.file.path_text, f"not stored: {type(problem).__name__}: {problem}")
        self._store.execute("RELEASE reading")
        return refused

    def _replace(self, reading: TranscriptReading) -> None:
        """Replace what the store has of a transcript by what it holds now. What its file has lost stays."""
        file, rows = reading.file, reading.rows
        if reading.stored_path and paths_of(self._store).is_hashed:  # since this sync began
            return
        columns = (
            reading.stored_path, self._dictionary.directory(reading.directory), reading.version,
            reading.first_at, reading.last_at, file.size, file.modified, PARSER,
        )  # fmt: skip
        query = "SELECT id, position, modified, parser FROM transcripts WHERE key = ?"
        stored = self._store.execute(query, (file.key,)).fetchone()
        if stored is None:
            added = self._store.execute(_NEW_TRANSCRIPT, (*columns, file.key, file.session, file.agent))
            transcript = added.lastrowid or 0  # for mypy: an INSERT has one
        elif stored[1:] == columns[-3:]:  # another sync was faster
            return
        else:
            transcript, *_, parser = stored
            self._store.execute(_TRANSCRIPT, (*columns, transcript))
            if parser != PARSER and rows.calls:  # the other version may have found too much
                self._forget_all(transcript)
        calls = _largest(rows.calls)
        self._forget(transcript, calls)
        self._store.executemany(_CYCLE, [(transcript, number, count) for number, count in rows.answers.items()])
        numbers = self._store.execute("SELECT number, id FROM cycles WHERE transcript = ?", (transcript,))
        cycles: dict[int, int] = dict(numbers)
        self._add_calls(calls, cycles)
        self._add_events("compactions", "summary", rows.compactions, cycles)
        self._add_events("warnings", "outcome", rows.warnings, cycles)

    def _forget(self, transcript: int, calls: Sequence[CallRow]) -> None:
        """Delete the store's own rows of these calls, and another transcript's with a smaller usage; all else stays."""
        keys = [(call.key, call.usage, call.usage, transcript) for call in calls]
        is_own = "(SELECT transcript FROM cycles WHERE id = cycle) = ?"
        same = f"calls WHERE key = ? AND ({_USAGE} < ? OR {_USAGE} = ? AND {is_own})"
        self._store.executemany(f"DELETE FROM parts WHERE call IN (SELECT id FROM {same})", keys)
        self._store.executemany(f"DELETE FROM {same}", keys)

    def _forget_all(self, transcript: int) -> None:
        own = "cycle IN (SELECT id FROM cycles WHERE transcript = ?)"
        self._store.execute(f"DELETE FROM parts WHERE call IN (SELECT id FROM calls WHERE {own})", (transcript,))
        for table in ("calls", "compactions", "warnings"):
            self._store.execute(f"DELETE FROM {table} WHERE {own}", (transcript,))

    def _add_calls(self, calls: Sequence[CallRow], cycles: Mapping[int, int]) -> None:
        """Add the calls that the store lacks now; another transcript has the others, too."""
        ((last,),) = self._store.execute("SELECT coalesce(max(id), 0) FROM calls")
        rows = [self._row(number, call, cycles[call.cycle]) for number, call in enumerate(calls, last + 1)]
        self._insert_all(_CALL, rows)
        added = {number for (number,) in self._store.execute("SELECT id FROM calls WHERE id > ?", (last,))}
        parts = [self._parts(number, call) for number, call in enumerate(calls, last + 1) if number in added]
        self._insert_all(_PART, list(chain.from_iterable(parts)))

    def _add_events(
        self, table: str, later: str, events: Sequence[CompactionRow | WarningRow], cycles: Mapping[int, int]
    ) -> None:
        """Add new events. The column `later` of the others is filled once it is known, and then stays."""
        for event in events:
            row = asdict(event) | {"cycle": cycles[event.cycle]}
            statement = (
                f"INSERT INTO {table} ({', '.join(row)}) VALUES ({','.join('?' * len(row))})"
                f" ON CONFLICT (key) DO UPDATE SET {later} = coalesce({later}, excluded.{later})"
            )
            self._store.execute(statement, tuple(row.values()))

    def _row(self, number: int, call: CallRow, cycle: int) -> tuple[Any, ...]:
        key, _, model, window, *plain, _ = astuple(call)
        return (number, key, cycle, self._dictionary.name(model), self._dictionary.window(window), *plain)

    def _parts(self, number: int, call: CallRow) -> list[tuple[Any, ...]]:
        ids = self._dictionary
        return [
            (
                number, index, part.entry.kind, part.certainty, part.tokens, part.entry.bytes,
                ids.name(part.entry.name) if part.entry.name else None,
                (ids.directory if part.entry.is_directory else ids.file)(part.entry.path),
                ids.name(part.entry.subagent) if part.entry.subagent else None,
            )
            for index, part in enumerate(call.parts)
        ]  # fmt: skip

    def _insert_all(self, statement: str, rows: Sequence[tuple[Any, ...]]) -> None:
        """Insert `rows` by `statement`, which lacks its VALUES."""
        for start in range(0, len(rows), _ROWS):
            some = rows[start : start + _ROWS]
            values = f"({','.join('?' * len(some[0]))})"
            self._store.execute(f"{statement} VALUES {','.join([values] * len(some))}", tuple(chain(*some)))


def _largest(calls: Iterable[CallRow]) -> list[CallRow]:
    """Return each call once, with its largest usage if a transcript has it in several places."""
    by_key: dict[int, CallRow] = {}
    for call in calls:
        if call.key not in by_key or by_key[call.key].usage < call.usage:
            by_key.pop(call.key, None)  # in the order of those that stay
            by_key[call.key] = call
    return list(by_key.values())
