"""A store with rows of a test's choice, as a sync would have written them."""

import itertools
import sqlite3
from contextlib import ExitStack
from typing import Any

from history.store import store
from history.store.schema import PartCertainty, PartKind
from shared.gauge.levels import Level

START = 1_790_000_000
"""The time of a conversation's first call; each further one comes a minute later."""
CERTAIN, UNKNOWN = 1, 2
"""The windows by their ids: one of 200,000 tokens, and one of unknown size."""


class Stored:
    """A person's store, to write conversations into."""

    def __init__(self, root: str, opened: ExitStack) -> None:
        """`opened` closes the connections when the test ends."""
        self.root, self._opened = root, opened
        self.rows = opened.enter_context(store.for_writing(root))
        self.rows.execute("INSERT INTO windows VALUES (1, 'known', 200000, 'bridge', 167000, 'catalogue')")
        self.rows.execute("INSERT INTO windows VALUES (2, 'unknown', NULL, 'unknown', NULL, '')")
        self._number = itertools.count(1)

    def asked(self) -> sqlite3.Connection:
        return self._opened.enter_context(store.for_reading(self.root))

    def insert(self, table: str, **values: Any) -> int:
        names, marks = ", ".join(values), ", ".join("?" * len(values))
        statement = f"INSERT INTO {table} ({names}) VALUES ({marks})"  # noqa: S608  a test's own names
        cursor = self.rows.execute(statement, tuple(values.values()))
        return cursor.lastrowid or 0

    def key(self) -> int:
        return next(self._number)

    def name(self, text: str | None) -> int | None:
        if text is None:
            return None
        self.rows.execute("INSERT OR IGNORE INTO names (text) VALUES (?)", (text,))
        ((number,),) = self.rows.execute("SELECT id FROM names WHERE text = ?", (text,))
        return int(number)

    def directory(self, path: str) -> int:
        self.rows.execute("INSERT OR IGNORE INTO paths (name) VALUES (?)", (path,))
        ((number,),) = self.rows.execute("SELECT id FROM paths WHERE name = ? AND directory IS NULL", (path,))
        return int(number)

    def file(self, path: str | None) -> int | None:
        if path is None:
            return None
        directory, _, name = path.rpartition("/")
        if not name:
            return self.directory(directory)
        place = (self.directory(directory), name)
        self.rows.execute("INSERT OR IGNORE INTO paths (directory, name) VALUES (?, ?)", place)
        ((number,),) = self.rows.execute("SELECT id FROM paths WHERE directory = ? AND name = ?", place)
        return int(number)

    def conversation(
        self, session: str, agent: str | None = None, project: str = "/home/p/work", at: int = START
    ) -> "Conversation":
        return Conversation(self, session, agent, self.directory(project), at)

    def rate_limit(self, name: str, at: int, used: float, resets_at: int | None) -> None:
        self.insert("rate_limits", name=name, at=at, used=used, resets_at=resets_at)


class Conversation:
    """One transcript's rows; its window grows by its calls' parts."""

    def __init__(self, stored: Stored, session: str, agent: str | None, project: int, at: int) -> None:
        self._stored = stored
        self.at = at
        values = {"key": stored.key(), "path": f"/transcripts/{session}/{agent}", "session": session, "agent": agent}
        values |= {"project": project, "version": "2.1.237", "first_at": at, "last_at": at, "parser": 1}
        values |= {"position": 0, "modified": 0, "checksum": b"", "state": b""}
        self._transcript = stored.insert("transcripts", **values)
        self._cycles = itertools.count()
        self._empty()

    def _empty(self) -> None:
        self.cycle = self._stored.insert("cycles", transcript=self._transcript, number=next(self._cycles), answers=0)
        self.step = self.fill = 0

    def call(self, *parts: dict[str, Any], pause: int = 60, **columns: Any) -> int:
        """Add an answer to a request that held `parts` for the first time; return calls.id."""
        growth = sum(part["tokens"] for part in parts)
        self.step, self.fill = self.step + 1, self.fill + growth
        billed = {"input": 0, "cache_creation": growth, "cache_read": self.fill - growth, "output": 100}
        values = billed | {"model": self._stored.name("claude-sonnet-5"), "window": 1, "level": "NORMAL", "at": self.at}
        call = self._stored.insert(
            "calls",
            **values
            | {"cycle": self.cycle, "key": self._stored.key(), "step": self.step, "fill": self.fill, "growth": growth}
            | columns,
        )
        for number, part in enumerate(parts):
            self._stored.insert("parts", call=call, number=number, **part)
        self._stored.rows.execute("UPDATE cycles SET answers = ? WHERE id = ?", (self.step, self.cycle))
        self.at += pause
        return call

    def part(
        self, kind: PartKind, tokens: int, name: str | None = None, path: str | None = None, subagent: str | None = None
    ) -> dict[str, Any]:
        certainty = PartCertainty.SPLIT if kind is PartKind.TOOL else PartCertainty.MEASURED
        columns = {"name": self._stored.name(name), "path": self._stored.file(path)}
        return columns | {
            "kind": int(kind),
            "certainty": int(certainty),
            "tokens": tokens,
            "bytes": max(0, tokens * 4),
            "subagent": self._stored.name(subagent),
        }

    def tool(self, tokens: int, name: str = "Read", path: str | None = None) -> dict[str, Any]:
        return self.part(PartKind.TOOL, tokens, name, path)

    def compaction(self, **columns: Any) -> None:
        values = {"at": self.at, "trigger": "auto", "before": self.fill, "summary": 3_000, "milliseconds": 90_000}
        self._stored.insert("compactions", **values | {"key": self._stored.key(), "cycle": self.cycle} | columns)
        self._empty()

    def warning(self, level: Level, outcome: int | None) -> None:
        self._stored.insert(
            "warnings", key=self._stored.key(), cycle=self.cycle, step=self.step, at=self.at, level=level.name,
            outcome=outcome,
        )  # fmt: skip
