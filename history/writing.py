"""Batches become rows: a transcript's rows and the position up to which it was read, in one transaction.

The result doesn't depend on the order in which transcripts come. A call that several transcripts have belongs to the
one with the smallest key, with that one's growth and parts; the largest usage counts.
"""

import sqlite3
from collections.abc import Iterable
from itertools import chain, groupby
from operator import itemgetter
from typing import Any

from msgspec.structs import asdict, astuple

from history.reading.reading import Batch
from history.store import store
from history.store.dictionary import Dictionary
from history.store.rows import CallRow, NewRows
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
_PAID = "input, cache_creation, cache_read, output, cache_creation_1h"
"""The last of the columns that a call is inserted with."""
_CALL = f"INSERT OR IGNORE INTO calls (id, {', '.join(CallRow.__struct_fields__[:-1])})"
_CYCLE = (
    "INSERT INTO cycles (transcript, number, answers) VALUES (?,?,?)"
    " ON CONFLICT (transcript, number) DO UPDATE SET answers = excluded.answers"
)
_PART = "INSERT INTO parts (call, number, kind, certainty, tokens, bytes, name, path, subagent)"
_ROWS = 25
"""Rows that one INSERT adds: it takes three fifths of the time of as many statements."""
_NOBODY = (1 << 63) - 1
"""The key of a transcript that isn't in the store: larger than any."""
_OWNER = (
    "coalesce((SELECT transcripts.key FROM cycles JOIN transcripts ON transcripts.id = transcript"
    f" WHERE cycles.id = {{table}}.cycle), {_NOBODY})"
)
"""The key of the transcript that a table's row belongs to."""
_OWN = "SELECT {table}.id FROM {table} JOIN cycles ON cycles.id = {table}.cycle WHERE cycles.transcript = ?"


class BatchWriter:
    """The writing to one store. After an error another one is needed, for this one knows ids that were rolled back."""

    def __init__(self, opened: sqlite3.Connection, until: float | None = None) -> None:
        """`until` is that of its transactions (store.transaction)."""
        self._store, self._until = opened, until
        self._dictionary = Dictionary(opened)
        self._waiting: list[tuple[CallRow, int, int]] = []
        """Calls that are inserted together, each with its cycle's id and its transcript's key."""

    def write(self, batches: Iterable[Batch]) -> None:
        """Add `batches` in one transaction.

        Left out are those whose transcript another writer has changed meanwhile: it has read the same.
        """
        with store.transaction(self._store, self._until):
            for batch in batches:
                if (transcript := self._advance(batch)) is None:
                    continue
                if batch.is_reread or batch.rows.abandoned:  # both change calls that are in the store
                    self._add_waiting()
                if batch.is_reread:
                    self._forget(transcript)
                self._add_rows(batch.rows, transcript, batch.file.key)
            self._add_waiting()

    def _advance(self, batch: Batch) -> int | None:
        """Note how far its transcript is read, and return its id; None if another writer has read more meanwhile."""
        file = batch.file
        columns = (
            batch.stored_path, self._dictionary.directory(batch.directory), batch.version, batch.first_at,
            batch.last_at, batch.position, file.modified, batch.checksum, PARSER, batch.state,
        )  # fmt: skip
        if batch.before is None:
            added = self._store.execute(_NEW_TRANSCRIPT, (file.key, file.session, file.agent, *columns))
            return added.lastrowid if added.rowcount else None
        query = "SELECT id FROM transcripts WHERE key = ? AND position = ?"
        row = self._store.execute(query, (file.key, batch.before)).fetchone()
        if row is None:
            return None
        self._store.execute(_TRANSCRIPT, (*columns, *row))
        return int(row[0])

    def _forget(self, transcript: int) -> None:
        """Delete what an older version has read of a transcript."""
        self._store.execute(f"DELETE FROM parts WHERE call IN ({_OWN.format(table='calls')})", (transcript,))
        for table in ("calls", "compactions", "warnings"):
            self._store.execute(f"DELETE FROM {table} WHERE id IN ({_OWN.format(table=table)})", (transcript,))
        self._store.execute("UPDATE cycles SET answers = 0 WHERE transcript = ?", (transcript,))

    def _add_rows(self, rows: NewRows, transcript: int, key: int) -> None:
        answers = [(transcript, number, count) for number, count in rows.answers.items()]
        self._store.executemany(_CYCLE, answers)
        query = "SELECT number, id FROM cycles WHERE transcript = ?"
        cycles: dict[int, int] = dict(self._store.execute(query, (transcript,)))
        for number, branches in groupby(rows.abandoned, key=itemgetter(0)):
            self._abandon(cycles[number], branches)
        self._waiting += [(call, cycles[call.cycle], key) for call in rows.calls]
        for compaction in rows.compactions:
            self._add_event("compactions", asdict(compaction) | {"cycle": cycles[compaction.cycle]}, key)
        for boundary, tokens in rows.summaries.items():
            self._store.execute("UPDATE compactions SET summary = ? WHERE key = ?", (tokens, boundary))
        for warning in rows.warnings:
            self._add_event("warnings", asdict(warning) | {"cycle": cycles[warning.cycle], "outcome": None}, key)
        outcome = f"UPDATE warnings SET outcome = ? WHERE key = ? AND {_OWNER.format(table='warnings')} = ?"
        self._store.executemany(outcome, [(value, line, key) for line, value in rows.outcomes.items()])

    def _abandon(self, cycle: int, branches: Iterable[tuple[int, int, int]]) -> None:
        """Mark a cycle's stored calls on `branches`; all at once, for there may be thousands of both."""
        query = "SELECT id, step FROM calls WHERE cycle = ? AND abandoned IS NULL ORDER BY step"
        calls, left = self._store.execute(query, (cycle,)).fetchall(), []
        for _, after, until in branches:
            while calls and calls[-1][1] > after:
                left.append((until, calls.pop()[0]))
        self._store.executemany("UPDATE calls SET abandoned = ? WHERE id = ?", left)

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
        query = f"SELECT id, {_OWNER.format(table='calls')}, {_PAID} FROM calls WHERE key = ?"
        number, owner, *stored = self._store.execute(query, (call.key,)).fetchone()
        largest = max(stored, row[-5:], key=lambda usage: sum(usage[:4]))
        if owner < key:
            self._store.execute(f"UPDATE calls SET ({_PAID}) = (?,?,?,?,?) WHERE id = ?", (*largest, number))
            return
        self._store.execute("DELETE FROM calls WHERE id = ?", (number,))
        self._store.execute("DELETE FROM parts WHERE call = ?", (number,))
        self._insert_all(_CALL, [(number, *row[1:-5], *largest)])
        self._insert_all(_PART, self._parts(number, call))

    def _add_event(self, table: str, row: dict[str, Any], key: int) -> None:
        """Add a compaction or a warning, or move it here from a transcript with a larger key."""
        columns, marks = ", ".join(row), ",".join("?" * len(row))
        statement = (
            f"INSERT INTO {table} ({columns}) VALUES ({marks}) ON CONFLICT (key) DO UPDATE"
            f" SET ({columns}) = ({marks}) WHERE {_OWNER.format(table=table)} > ?"
        )
        self._store.execute(statement, (*row.values(), *row.values(), key))

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
