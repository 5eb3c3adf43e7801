"""`tidegauge history warnings`: what followed the warnings."""

import sqlite3
from collections import Counter

import msgspec

from history.questions.answer.question import QuestionAnswer, QuestionTable, share_text, title_since
from history.questions.compactions import AUTO
from history.store.schema import WarningOutcome
from shared.gauge.levels import Level

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


class Warnings(msgspec.Struct, frozen=True):
    since: int
    levels: list[LevelWarnings]
    compactions: int
    """Automatic ones since the first warning."""
    unwarned: int
    """Automatic ones in windows without a warning."""
    ignored: int
    """Automatic ones in windows with a warning that nothing followed but the compaction."""


def figures(store: sqlite3.Connection, since: int) -> Warnings:
    rows = store.execute(_WARNINGS, (since,)).fetchall()
    compactions = store.execute(_COMPACTIONS, {"since": since, "auto": AUTO}).fetchall()
    return Warnings(
        since,
        [_level(level, own) for level in Level if (own := [row for row in rows if row["level"] == level.name])],
        len(compactions),
        sum(row["warnings"] == 0 for row in compactions),
        sum(row["ignored"] for row in compactions),
    )


def presentation(answer: Warnings) -> QuestionAnswer:
    columns = ("level", "count", "stopped", "saved", "compacted", "went on", "open", "acted on")
    rows = [
        (
            row.level,
            *(row.count, row.growth_stopped, row.saved, row.compacted, row.went_on, row.open),
            share_text(row.acted_on),
        )
        for row in answer.levels
    ]
    facts = [] if answer.levels else ["None yet."]
    if answer.compactions:
        since = f"Automatic compactions since the first: {answer.compactions:,}"
        unwarned = f"{answer.unwarned:,} without a warning{' (run tidegauge doctor)' if answer.unwarned else ''}"
        facts.append(f"{since}, of which {unwarned}, and {answer.ignored:,} although there was one.")
    title = title_since("Warnings, and what followed them", answer.since)
    return QuestionAnswer(answer, [QuestionTable(columns, rows)], title=title, facts=facts)


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
# Before the first warning that is known of there was no Tidegauge to give one.
_COMPACTIONS = f"""
WITH warned AS (
    SELECT cycle, count(*) AS warnings, max(coalesce(outcome, -1) = {int(WarningOutcome.COMPACTED)}) AS ignored
    FROM warnings GROUP BY cycle
)
SELECT coalesce(warnings, 0) AS warnings, coalesce(ignored, 0) AS ignored
FROM compactions LEFT JOIN warned USING (cycle)
WHERE at >= max(:since, (SELECT min(at) FROM warnings)) AND trigger = :auto
"""
