"""A store with known figures in it."""

import time

from history.store import schema
from shared.gauge.levels import Level
from tests.history.questions import stored
from tests.history.questions.stored import CERTAIN, UNKNOWN

HOUR = (int(time.time()) // 3600 - 1) * 3600
NOW = HOUR + 1800
"""Half past the last hour: an engine takes nothing from the future, and nothing that is years old."""


class Stored(stored.Stored):
    """A store of rows at times of a test's choice, added one by one."""

    def session(self, directory: str, *, agent: str | None = None, version: str = "2.1.330", last_at: int = NOW) -> int:
        """Add a transcript with one cycle; return the cycle's id."""
        transcript = self.insert(
            "transcripts", path=f"/p/{self.key()}.jsonl", key=self.key(), session="the-session-id", agent=agent,
            project=self.directory(directory), version=version, first_at=0, last_at=last_at, position=0, modified=0,
            checksum=b"", parser=1, state=b"",
        )  # fmt: skip
        return self.insert("cycles", transcript=transcript, number=0, answers=0)

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
        self.rows.execute("UPDATE cycles SET answers = answers + 1 WHERE id = ?", (cycle,))
        ((answers,),) = self.rows.execute("SELECT answers FROM cycles WHERE id = ?", (cycle,))
        call = self.insert(
            "calls", key=self.key(), cycle=cycle, step=answers, at=at, model=self.name(model),
            window=CERTAIN if window else UNKNOWN, input=0, cache_creation=0, cache_read=0, output=0,
            fill=fill, growth=0,
            level=None if level is None else level.name,
        )  # fmt: skip
        if after_tool:
            self.insert("parts", call=call, number=0, kind=schema.PartKind.TOOL, certainty=0, tokens=0, bytes=0)

    def compaction(self, cycle: int, at: int, milliseconds: int | None, trigger: str = "auto") -> None:
        self.insert("compactions", key=self.key(), cycle=cycle, at=at, trigger=trigger, milliseconds=milliseconds)

    def warning(self, cycle: int, at: int, level: Level, outcome: int | None) -> int:
        return self.insert("warnings", key=self.key(), cycle=cycle, step=1, at=at, level=level.name, outcome=outcome)


def work(result: Stored) -> None:
    """Add the work of two people's projects: three sessions, a subagent, a compaction, warnings."""
    alpha = result.session("/home/jane/alpha")
    result.call(alpha, HOUR - 7200, 50_000, Level.NORMAL)
    result.call(alpha, HOUR - 7100, 140_000, Level.WARNING)
    result.warning(alpha, HOUR - 7090, Level.WARNING, schema.WarningOutcome.SAVED)
    result.call(alpha, HOUR + 60, 160_000, Level.CRITICAL)
    result.warning(alpha, HOUR + 70, Level.CRITICAL, None)
    result.compaction(alpha, HOUR + 600, 90_500)
    silent = result.session("/home/jane/beta", version="2.1.197")
    for number in range(7):
        result.call(silent, HOUR - 3600 + number, 150_000 + number, Level.WARNING, model="claude-sonnet-5")
    helper = result.session("/home/jane/alpha", agent="a1")
    result.call(helper, HOUR + 100, 199_000, Level.EXHAUSTED, window=None)
    unknown = result.session("/elsewhere/alpha")
    result.call(unknown, HOUR + 30, 10_000, None, window=None)
    result.compaction(unknown, HOUR + 40, None, "manual")
