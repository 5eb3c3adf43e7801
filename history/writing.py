"""Batches become rows: a transcript's rows and the position up to which it was read, in one transaction.

The result doesn't depend on the order in which transcripts come. A call that several transcripts have belongs to the
one with the smallest key, with that one's growth and parts; the largest usage counts.
"""

import sqlite3
from collections.abc import Iterable
from itertools import chain
from typing import Any

from history.reading.reading import Batch
from history.store.dictionary import Dictionary
from history.store.rows import CallRow, CompactionRow, NewRows, WarningRow
from history.store.schema import PARSER

_NEW_TRANSCRIPT = (
    "INSERT OR IGNORE INTO transcripts (key, session, agent, path, project, version, first_at, last_at, position,"
    " modified, checksum, parser, state) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)"
)
_TRANSCRIPT = (
    "UPDATE transcripts SET path = ?, project = coalesce(?, project), version = coalesce(nullif(?, ''), version),"
    " first_at = coalesce(?, first_at), last_at = coalesce(?, last_at), position = ?, modified = ?,"
    " checksum = ?, parser = ?, state = ? WHERE id = ?"
)
"""What was known stays where the file has lost it: a power cut may leave it full of zeros."""
_CALL = (
    "INSERT OR IGNORE INTO calls (id, key, cycle, step, abandoned, at, model, window, input, cache_creation,"
    " cache_read, output, fill, growth, level, rebuild, rebuilt,"
    " cache_creation_1h)"
)
_PART = "INSERT INTO parts (call, number, kind, certainty, tokens, bytes, name, path, subagent)"
_ROWS = 25
"""Rows that one INSERT adds: it takes three fifths of the time of as many statements."""
_NOBODY = (1 << 63) - 1
"""The key of a transcript that isn't in the store: larger than any."""
_OWNER = (
    f"SELECT {{table}}.id, coalesce(transcripts.key, {_NOBODY}) FROM {{table}}"
    " LEFT JOIN cycles ON cycles.id = {table}.cycle"
    " LEFT JOIN transcripts ON transcripts.id = cycles.transcript WHERE {table}.key = ?"
)
_OWN = "SELECT {table}.id FROM {table} JOIN cycles ON cycles.id = {table}.cycle WHERE cycles.transcript = ?"


class BatchWriter:
    """The writing to one store, within transactions that its caller begins and ends."""

    def __init__(self, store: sqlite3.Connection) -> None:
        self._store = store
        self._dictionary = Dictionary(store)
        self._waiting: list[tuple[CallRow, int, int]] = []
        """Calls that are inserted together, each with its cycle's id and its transcript's key."""

    def write(self, batches: Iterable[Batch]) -> None:
        """Add `batches`, except those whose transcript another writer has changed meanwhile: it has read the same."""
        for batch in batches:
            self._write(batch)
        self._add_waiting()

    def _write(self, batch: Batch) -> None:
        columns = (
            batch.stored_path, self._dictionary.path(batch.directory, is_directory=True), batch.version, batch.first_at,
            batch.last_at, batch.position, batch.file.modified, batch.checksum, PARSER, batch.state,
        )  # fmt: skip
        transcript = self._add_transcript(batch, columns) if batch.before is None else self._update(batch, columns)
        if transcript is None:
            return
        if batch.is_reread or batch.rows.abandoned:  # both change calls that are in the store
            self._add_waiting()
        if batch.is_reread:
            self._forget(transcript)
        self._add_rows(batch.rows, transcript, batch.file.key, is_new=batch.before is None)

    def _add_transcript(self, batch: Batch, columns: tuple[Any, ...]) -> int | None:
        """The id of a new transcript; None if another writer has added it meanwhile."""
        row = (batch.file.key, batch.file.session, batch.file.agent, *columns)
        added = self._store.execute(_NEW_TRANSCRIPT, row)
        return added.lastrowid if added.rowcount else None

    def _update(self, batch: Batch, columns: tuple[Any, ...]) -> int | None:
        """The id of a stored transcript; None if another writer has read more of it meanwhile."""
        query = "SELECT id FROM transcripts WHERE key = ? AND position = ?"
        row = self._store.execute(query, (batch.file.key, batch.before)).fetchone()
        if row is None:
            return None
        self._store.execute(_TRANSCRIPT, (*columns, row[0]))
        return int(row[0])

    def _forget(self, transcript: int) -> None:
        """Delete what an older version has read of a transcript."""
        self._store.execute(f"DELETE FROM parts WHERE call IN ({_OWN.format(table='calls')})", (transcript,))
        for table in ("calls", "compactions", "warnings"):
            self._store.execute(f"DELETE FROM {table} WHERE id IN ({_OWN.format(table=table)})", (transcript,))
        self._store.execute("UPDATE cycles SET answers = 0 WHERE transcript = ?", (transcript,))

    def _add_rows(self, rows: NewRows, transcript: int, key: int, *, is_new: bool) -> None:
        cycles = self._cycles(rows.answers, transcript, is_new=is_new)
        for branch in rows.abandoned:
            self._store.execute(
                "UPDATE calls SET abandoned = ? WHERE cycle = ? AND step > ? AND abandoned IS NULL",
                (branch.until, cycles[branch.cycle], branch.after),
            )
        self._waiting += [(call, cycles[call.cycle], key) for call in rows.calls]
        for compaction in rows.compactions:
            self._add_compaction(compaction, cycles[compaction.cycle], key)
        for boundary, tokens in rows.summaries.items():
            self._store.execute("UPDATE compactions SET summary = ? WHERE key = ?", (tokens, boundary))
        for boundary, facts in rows.lost.items():
            self._store.execute("UPDATE compactions SET lost = ? WHERE key = ?", (facts, boundary))
        for warning in rows.warnings:
            self._add_warning(warning, cycles[warning.cycle], key)
        for line, outcome in rows.outcomes.items():
            owner = self._owner("warnings", line)
            if owner is not None and owner[1] == key:
                self._store.execute("UPDATE warnings SET outcome = ? WHERE id = ?", (outcome, owner[0]))

    def _cycles(self, answers: dict[int, int], transcript: int, *, is_new: bool) -> dict[int, int]:
        """The ids of a transcript's cycles by their numbers, those in `answers` brought up to date."""
        query = "SELECT number, id FROM cycles WHERE transcript = ?"
        ids = {} if is_new else dict(self._store.execute(query, (transcript,)))
        for number, count in answers.items():
            if number in ids:
                self._store.execute("UPDATE cycles SET answers = ? WHERE id = ?", (count, ids[number]))
            else:
                row = (transcript, number, count)
                ids[number] = self._insert("INSERT INTO cycles (transcript, number, answers) VALUES (?,?,?)", row)
        return ids

    def _add_waiting(self) -> None:
        """Add the new ones all at once; the others are also another transcript's, or have grown."""
        waiting, self._waiting = self._waiting, []
        ((last,),) = self._store.execute("SELECT coalesce(max(id), 0) FROM calls")
        rows = [self._row(number, call, cycle) for number, (call, cycle, _) in enumerate(waiting, last + 1)]
        is_all_new = self._insert_all(_CALL, rows) == len(rows)
        new = () if is_all_new else self._store.execute("SELECT id FROM calls WHERE id > ?", (last,))
        added = {number for (number,) in new}
        parts, stored = [], []
        for row, (call, _, key) in zip(rows, waiting, strict=True):
            if is_all_new or row[0] in added:
                parts += self._parts(row[0], call)
            else:
                stored.append((row, call, key))
        self._insert_all(_PART, parts)
        for row, call, key in stored:
            self._merge(row, call, key)

    def _merge(self, row: tuple[Any, ...], call: CallRow, key: int) -> None:
        """Merge a stored call with what this transcript says of it."""
        owner = self._owner("calls", call.key)
        assert owner is not None  # noqa: S101  its key is in the store
        number, paid = owner[0], "input, cache_creation, cache_read, output, cache_creation_1h"
        stored = self._store.execute(f"SELECT {paid} FROM calls WHERE id = ?", (number,)).fetchone()
        largest = max(stored, (*row[8:12], row[17]), key=lambda usage: sum(usage[:4]))
        if owner[1] < key:
            self._store.execute(f"UPDATE calls SET ({paid}) = (?,?,?,?,?) WHERE id = ?", (*largest, number))
            return
        self._store.execute("DELETE FROM calls WHERE id = ?", (number,))
        self._store.execute("DELETE FROM parts WHERE call = ?", (number,))
        self._insert_all(_CALL, [(number, *row[1:8], *largest[:4], *row[12:17], largest[4])])
        self._insert_all(_PART, self._parts(number, call))

    def _add_compaction(self, row: CompactionRow, cycle: int, key: int) -> None:
        owner = self._owner("compactions", row.key)
        if owner is None:
            self._store.execute(
                "INSERT INTO compactions (key, cycle, at, trigger, before, after, milliseconds) VALUES (?,?,?,?,?,?,?)",
                (row.key, cycle, row.at, row.trigger, row.before, row.after, row.milliseconds),
            )
        elif owner[1] > key:
            self._store.execute("UPDATE compactions SET cycle = ? WHERE id = ?", (cycle, owner[0]))

    def _add_warning(self, row: WarningRow, cycle: int, key: int) -> None:
        owner = self._owner("warnings", row.key)
        if owner is None:
            self._store.execute(
                "INSERT INTO warnings (key, cycle, step, at, level) VALUES (?,?,?,?,?)",
                (row.key, cycle, row.step, row.at, row.level),
            )
        elif owner[1] > key:
            moved = (cycle, row.step, owner[0])
            self._store.execute("UPDATE warnings SET cycle = ?, step = ?, outcome = NULL WHERE id = ?", moved)

    def _owner(self, table: str, key: int) -> tuple[int, int] | None:
        """The id of the row with `key`, and the key of its transcript."""
        owner: tuple[int, int] | None = self._store.execute(_OWNER.format(table=table), (key,)).fetchone()
        return owner

    def _row(self, number: int, call: CallRow, cycle: int) -> tuple[Any, ...]:
        return (
            number, call.key, cycle, call.step, call.abandoned, call.at,
            self._dictionary.name(call.model), self._dictionary.window(call.window), call.input, call.cache_creation,
            call.cache_read, call.output, call.fill, call.growth, call.level, call.rebuild, call.rebuilt,
            call.cache_creation_1h,
        )  # fmt: skip

    def _parts(self, number: int, call: CallRow) -> list[tuple[Any, ...]]:
        ids = self._dictionary
        return [
            (
                number, index, part.entry.kind, part.certainty, part.tokens, part.entry.bytes,
                ids.name(part.entry.name) if part.entry.name else None,
                ids.path(part.entry.path, is_directory=part.entry.is_directory) if part.entry.path else None,
                ids.name(part.entry.subagent) if part.entry.subagent else None,
            )
            for index, part in enumerate(call.parts)
        ]  # fmt: skip

    def _insert_all(self, statement: str, rows: list[tuple[Any, ...]]) -> int:
        """Insert `rows` by `statement`, which lacks its VALUES; return how many it took."""
        if not rows:
            return 0
        before, whole = self._store.total_changes, len(rows) - len(rows) % _ROWS
        placeholders = f"({','.join('?' * len(rows[0]))})"
        together = [tuple(chain(*rows[start : start + _ROWS])) for start in range(0, whole, _ROWS)]
        self._store.executemany(f"{statement} VALUES {','.join([placeholders] * _ROWS)}", together)
        self._store.executemany(f"{statement} VALUES {placeholders}", rows[whole:])
        return self._store.total_changes - before

    def _insert(self, statement: str, row: tuple[Any, ...]) -> int:
        number = self._store.execute(statement, row).lastrowid
        assert number is not None  # noqa: S101  an INSERT has one
        return number
