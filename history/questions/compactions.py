"""`tidegauge history compactions`: how often the client compacted, and what the summaries hold."""

import math
import sqlite3
from collections import Counter
from collections.abc import Sequence

import msgspec

from history.questions.answer.question import QuestionAnswer, QuestionTable
from shared.gauge.limit import SUMMARY_TOKENS
from shared.text.quantities import tokens_text

SUMMARY = "how often the client compacted, and how long the summaries are"
LEVERS = ("compactions", "restart")

_MOST_ROWS = 10


class Spread(msgspec.Struct, frozen=True):
    """The count of known numbers and, by nearest rank, their median, 99th percentile and maximum."""

    count: int
    p50: int | None = None
    p99: int | None = None
    max: int | None = None


class Compactions(msgspec.Struct, frozen=True):
    count: int
    triggers: dict[str, int]
    """Compactions by trigger, auto or manual."""
    summary: Spread
    """Tokens of those summaries whose size is known, estimated from their bytes."""
    room: int
    over_room: int
    """Summaries of more than `room` tokens."""


def figures(store: sqlite3.Connection, since: int) -> Compactions:
    rows = store.execute(_COMPACTIONS, (since,)).fetchall()
    summaries = [row["summary"] for row in rows if row["summary"] is not None]
    return Compactions(
        count=len(rows),
        triggers=Counter(row["trigger"] for row in rows),
        summary=spread(summaries),
        room=SUMMARY_TOKENS,
        over_room=sum(tokens > SUMMARY_TOKENS for tokens in summaries),
    )


def presentation(answer: Compactions) -> QuestionAnswer:
    table = QuestionTable(("trigger", "count"), list(answer.triggers.items()), most=_MOST_ROWS)
    return QuestionAnswer(answer, [table], title="Compactions", facts=_facts(answer))


def spread(values: Sequence[int]) -> Spread:
    """The spread by nearest rank: the p-th percentile of n numbers is the ceil(p/100 x n)-th smallest."""
    if not values:
        return Spread(0)
    ordered = sorted(values)
    p50, p99 = (ordered[math.ceil(part * len(ordered) / 100) - 1] for part in (50, 99))
    return Spread(len(ordered), p50, p99, ordered[-1])


def _facts(answer: Compactions) -> list[str]:
    if not answer.count:
        return ["None."]
    facts = [f"Compactions: {answer.count:,}."]
    count, *sizes = msgspec.structs.astuple(answer.summary)
    if count:
        p50, p99, most = map(tokens_text, sizes)
        over = f"{answer.over_room:,} of {count:,} over {answer.room:,}"
        facts.append(f"Summaries (estimated): p50 {p50}, p99 {p99}, max {most} tokens; {over}.")
    return facts


_COMPACTIONS = "SELECT trigger, summary FROM compactions WHERE coalesce(at, 0) >= ? ORDER BY trigger"
