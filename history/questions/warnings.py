"""`tidegauge history warnings`: what followed the warnings."""

import sqlite3
from collections import Counter

import msgspec

from history.questions.answer.question import QuestionAnswer, QuestionTable
from history.store.schema import WarningOutcome
from shared.gauge.levels import Level
from shared.text.quantities import share_text

SUMMARY = "what followed each warning: growth stopped, state saved, compacted, or went on"
LEVERS = ("compactions", "restart")

_ACTED_ON = (WarningOutcome.GROWTH_STOPPED, WarningOutcome.SAVED)


class LevelWarnings(msgspec.Struct, frozen=True):
    level: str
    count: int
    growth_stopped: int
    saved: int
    compacted: int
    went_on: int
    open: int
    """Too little has followed yet."""
    acted_on: float | None
    """The share, 0 to 1, of known outcomes in which growth stopped or the state was saved; null: none is known."""


def figures(store: sqlite3.Connection, since: int) -> list[LevelWarnings]:
    rows = store.execute(_WARNINGS, (since,)).fetchall()
    return [_level(level, own) for level in Level if (own := [row for row in rows if row["level"] == level.name])]


def presentation(levels: list[LevelWarnings]) -> QuestionAnswer:
    columns = ("level", "count", "stopped", "saved", "compacted", "went on", "open", "acted on")
    rows = [
        (
            row.level,
            *(row.count, row.growth_stopped, row.saved, row.compacted, row.went_on, row.open),
            share_text(row.acted_on),
        )
        for row in levels
    ]
    facts = [] if levels else ["None yet."]
    title = "Warnings, and what followed them"
    return QuestionAnswer({"levels": levels}, [QuestionTable(columns, rows)], title=title, facts=facts)


def _level(level: Level, rows: list[sqlite3.Row]) -> LevelWarnings:
    followed = Counter(None if row["outcome"] is None else WarningOutcome(row["outcome"]) for row in rows)
    outcomes = len(rows) - followed[None]
    return LevelWarnings(
        level=level.name,
        count=len(rows),
        **{outcome.name.lower(): followed[outcome] for outcome in WarningOutcome},
        open=followed[None],
        acted_on=round(sum(followed[outcome] for outcome in _ACTED_ON) / outcomes, 4) if outcomes else None,
    )


_WARNINGS = "SELECT level, outcome FROM warnings WHERE coalesce(at, 0) >= ?"
