"""`tidegauge history compactions`: how often, what the summaries hold, and what it cost."""

import math
import sqlite3
from collections.abc import Sequence

import msgspec

from history.questions.answer.question import QuestionAnswer, QuestionTable, title_since
from shared.gauge.limit import SUMMARY_TOKENS
from shared.text.quantities import duration_text, tokens_text

SUMMARY = "how often the client compacted, and how long the summaries are"
LEVERS = ("compactions", "restart")

AUTO = "auto"
_MOST_ROWS = 10


class Spread(msgspec.Struct, frozen=True):
    """How many numbers are known and, by nearest rank, their median, 99th percentile and maximum."""

    count: int
    p50: int | None = None
    p99: int | None = None
    max: int | None = None

    @property
    def texts(self) -> list[str]:
        return [tokens_text(value) for value in (self.p50, self.p99, self.max) if value is not None]


class Trigger(msgspec.Struct, frozen=True):
    trigger: str
    """auto or manual."""
    count: int
    summary: Spread
    """Tokens, estimated from the bytes."""
    before: Spread
    """Tokens in the window before it."""
    seconds: int
    """How long they took, for those whose client says so."""


class Compactions(msgspec.Struct, frozen=True):
    since: int
    count: int
    sessions: int
    """Sessions with at least one."""
    summary: Spread
    room: int
    over_room: int
    """Summaries of more than `room` tokens."""
    seconds: int
    timed: int
    """Compactions whose client says how long they took."""
    triggers: list[Trigger]


def figures(store: sqlite3.Connection, since: int) -> Compactions:
    rows = store.execute(_COMPACTIONS, (since,)).fetchall()
    by_trigger: dict[str, list[sqlite3.Row]] = {}
    for row in rows:
        by_trigger.setdefault(row["trigger"], []).append(row)
    return Compactions(
        since,
        count=len(rows),
        sessions=len({row["session"] for row in rows}),
        summary=spread([row["summary"] for row in rows]),
        room=SUMMARY_TOKENS,
        over_room=sum((row["summary"] or 0) > SUMMARY_TOKENS for row in rows),
        seconds=_seconds(rows),
        timed=sum(row["milliseconds"] is not None for row in rows),
        triggers=[_trigger(name, by_trigger[name]) for name in sorted(by_trigger)],
    )


def presentation(answer: Compactions) -> QuestionAnswer:
    columns = ("trigger", "count", "summary", "window before", "took")
    rows = [
        (
            row.trigger,
            row.count,
            " / ".join(row.summary.texts) or "n/a",
            " / ".join(row.before.texts) or "n/a",
            duration_text(row.seconds) if row.seconds else "n/a",
        )
        for row in answer.triggers
    ]
    table = QuestionTable(columns, rows, "By trigger; tokens as p50 / p99 / max", _MOST_ROWS)
    return QuestionAnswer(answer, [table], title=title_since("Compactions", answer.since), facts=_facts(answer))


def spread(values: Sequence[int | None]) -> Spread:
    """The spread by nearest rank: the p-th percentile of n numbers is the ceil(p/100 x n)-th smallest."""
    ordered = sorted(value for value in values if value is not None)
    if not ordered:
        return Spread(0)
    p50, p99 = (ordered[math.ceil(part * len(ordered) / 100) - 1] for part in (50, 99))
    return Spread(len(ordered), p50, p99, ordered[-1])


def _facts(answer: Compactions) -> list[str]:
    if not answer.count:
        return ["None."]
    facts = [f"Compactions: {answer.count:,}; sessions with one: {answer.sessions:,}"]
    if answer.summary.count:
        p50, p99, most = answer.summary.texts
        over = f"{answer.over_room:,} of {answer.summary.count:,} over {answer.room:,}"
        facts.append(f"Summaries (estimated): p50 {p50}, p99 {p99}, max {most} tokens; {over}.")
    if answer.timed:
        facts.append(f"They took {duration_text(answer.seconds)} ({answer.timed:,} of {answer.count:,} were timed).")
    return facts


def _trigger(name: str, own: Sequence[sqlite3.Row]) -> Trigger:
    summary, before = (spread([row[column] for row in own]) for column in ("summary", "before"))
    return Trigger(name, len(own), summary, before, _seconds(own))


def _seconds(compactions: Sequence[sqlite3.Row]) -> int:
    return round(sum(row["milliseconds"] or 0 for row in compactions) / 1000)


_COMPACTIONS = """
SELECT compactions.*, session FROM compactions JOIN conversations USING (cycle)
WHERE coalesce(at, 0) >= ?
"""
