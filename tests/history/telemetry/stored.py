"""A store with known figures in it."""

import itertools
import sqlite3
import time
from typing import Any

from history.store import schema
from shared.gauge.levels import Level

HOUR = (int(time.time()) // 3600 - 1) * 3600
NOW = HOUR + 1800
"""Half past the last hour: an engine takes nothing from the future, and nothing that is years old."""
_KEYS = itertools.count(1)


class Stored:
    """Rows, added one by one; ids are the store's."""

    def __init__(self, opened: sqlite3.Connection) -> None:
        self.store = opened
        self.windows = {
            size: self._id("windows", key=str(size), tokens=size, source="client", ends_at=ends, certainty="known")
            for size, ends in ((200_000, 167_000), (None, None))
        }

    def session(self, directory: str, *, agent: str | None = None, version: str = "2.1.330", last_at: int = NOW) -> int:
        """A transcript with one cycle; the cycle's id."""
        project = self._known("paths", "name", directory)
        transcript = self._id(
            "transcripts", path=f"/p/{next(_KEYS)}.jsonl", key=next(_KEYS), session="the-session-id", agent=agent,
            project=project, version=version, first_at=0, last_at=last_at, position=0, modified=0, checksum=b"",
            parser=1, state=b"",
        )  # fmt: skip
        return self._id("cycles", transcript=transcript, number=0, answers=0)

    def call(
        self,
        cycle: int,
        at: int,
        fill: int,
        level: Level | None,
        *,
        model: str = "claude-opus-5",
        window: int | None = 200_000,
        after_tool: bool = True,
    ) -> None:
        answers = self.store.execute("SELECT answers + 1 FROM cycles WHERE id = ?", (cycle,)).fetchone()[0]
        self.store.execute("UPDATE cycles SET answers = ? WHERE id = ?", (answers, cycle))
        call = self._id(
            "calls", key=next(_KEYS), cycle=cycle, step=answers, at=at, model=self._known("names", "text", model),
            window=self.windows[window], input=0, cache_creation=0, cache_read=0, output=0, fill=fill, growth=0,
            level=None if level is None else level.name,
        )  # fmt: skip
        if after_tool:
            self._id("parts", call=call, number=0, kind=schema.PartKind.TOOL, certainty=0, tokens=0, bytes=0)

    def compaction(self, cycle: int, at: int, milliseconds: int | None, trigger: str = "auto") -> None:
        self._id("compactions", key=next(_KEYS), cycle=cycle, at=at, trigger=trigger, milliseconds=milliseconds)

    def warning(self, cycle: int, at: int, level: Level, outcome: int | None) -> int:
        return self._id("warnings", key=next(_KEYS), cycle=cycle, step=1, at=at, level=level.name, outcome=outcome)

    def _known(self, table: str, column: str, text: str) -> int:
        row = self.store.execute(f"SELECT id FROM {table} WHERE {column} = ?", (text,)).fetchone()  # noqa: S608  names of our own
        return row[0] if row else self._id(table, **{column: text})

    def _id(self, table: str, **values: Any) -> int:
        marks = ", ".join("?" * len(values))
        names = ", ".join(f'"{name}"' for name in values)
        done = self.store.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", tuple(values.values()))  # noqa: S608  names of our own
        assert done.lastrowid is not None
        return done.lastrowid


def work(made: Stored) -> None:
    """What two people's projects might hold: three sessions, a subagent, a compaction, warnings."""
    alpha = made.session("/home/jane/alpha")
    made.call(alpha, HOUR - 7200, 50_000, Level.NORMAL)
    made.call(alpha, HOUR - 7100, 140_000, Level.WARNING)
    made.warning(alpha, HOUR - 7090, Level.WARNING, schema.WarningOutcome.SAVED)
    made.call(alpha, HOUR + 60, 160_000, Level.CRITICAL)
    made.warning(alpha, HOUR + 70, Level.CRITICAL, None)
    made.compaction(alpha, HOUR + 600, 90_500)
    silent = made.session("/home/jane/beta", version="2.1.197")
    for number in range(7):
        made.call(silent, HOUR - 3600 + number, 150_000 + number, Level.WARNING, model="claude-sonnet-5")
    helper = made.session("/home/jane/alpha", agent="a1")
    made.call(helper, HOUR + 100, 199_000, Level.EXHAUSTED, window=None)
    unknown = made.session("/elsewhere/alpha")
    made.call(unknown, HOUR + 30, 10_000, None, window=None)
    made.compaction(unknown, HOUR + 40, None, "manual")
