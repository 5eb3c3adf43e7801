"""`tidegauge history warnings`: what followed the warnings."""

import sqlite3
from collections import Counter

import msgspec

from history.questions.advice import Advice, percent_text, without_compactions
from history.questions.compactions import AUTO
from history.questions.question import QuestionAnswer, QuestionTable, right, title_since
from history.questions.sparkline import counts_over_time, sparkline
from history.schema import WarningOutcome
from shared.levels import Level

SUMMARY = "what followed each warning: growth stopped, state saved, compacted, or went on"

_ACTED_ON = (WarningOutcome.GROWTH_STOPPED, WarningOutcome.SAVED)


class LevelWarnings(msgspec.Struct, frozen=True):
    """Warnings of one level, and what followed them."""

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
    times: list[int]
    """Epoch seconds, rising."""


class Warnings(msgspec.Struct, frozen=True):
    since: int
    levels: list[LevelWarnings]
    compactions: int
    """Automatic ones since the first warning."""
    unwarned: int
    """Of these, in windows without a warning."""
    advice: Advice


def ask(store: sqlite3.Connection, since: int | None) -> QuestionAnswer:
    return _shown(figures(store, since or 0))


def figures(store: sqlite3.Connection, since: int) -> Warnings:
    rows = store.execute(_WARNINGS, (since,)).fetchall()
    compactions = store.execute(_COMPACTIONS, {"since": since, "auto": AUTO}).fetchall()
    unwarned = [row for row in compactions if row["warnings"] == 0]
    ignored = [row for row in compactions if row["ignored"]]
    return Warnings(
        since,
        [_level(level, own) for level in Level if (own := [row for row in rows if row["level"] == level])],
        len(compactions),
        len(unwarned),
        _advice(unwarned, ignored, compactions) if rows else Advice("no warning has been given yet."),
    )


def _shown(answer: Warnings) -> QuestionAnswer:
    table = QuestionTable(
        ("level", "count", "stopped", "saved", "compacted", "went on", "open", *right("acted on"), "over time"),
        [
            (
                one.level,
                *(one.count, one.growth_stopped, one.saved, one.compacted, one.went_on, one.open),
                percent_text(one.acted_on),
                sparkline(counts_over_time(one.times, 8)),
            )
            for one in answer.levels
        ],
    )
    facts = [] if answer.levels else ["None yet."]
    if answer.compactions:
        since = f"Automatic compactions since the first: {answer.compactions:,}"
        facts.append(f"{since}, of which {answer.unwarned:,} without a warning.")
    title = title_since("Warnings, and what followed them", answer.since)
    return QuestionAnswer(answer, [table], answer.advice.line, title, facts)


def _level(level: Level, rows: list[sqlite3.Row]) -> LevelWarnings:
    followed = Counter(None if row["outcome"] is None else WarningOutcome(row["outcome"]) for row in rows)
    known = len(rows) - followed[None]
    acted_on = sum(followed[outcome] for outcome in _ACTED_ON)
    return LevelWarnings(
        level.name,
        len(rows),
        followed[WarningOutcome.GROWTH_STOPPED],
        followed[WarningOutcome.SAVED],
        followed[WarningOutcome.COMPACTED],
        followed[WarningOutcome.WENT_ON],
        followed[None],
        round(acted_on / known, 4) if known else None,
        [row["at"] for row in rows if row["at"] is not None],
    )


def _advice(unwarned: list[sqlite3.Row], ignored: list[sqlite3.Row], every: list[sqlite3.Row]) -> Advice:
    """Advise on the more frequent of the two: compactions despite a warning, and without one."""
    if not (unwarned or ignored):
        return Advice("no automatic compaction followed a warning that wasn't acted on, or came without one.")
    if len(unwarned) > len(ignored):
        run = f"Run tidegauge doctor (compactions without a warning: {len(unwarned):,})."
        return without_compactions(run, unwarned, every)
    save = f"Save and finish the step when a warning comes (compactions despite one: {len(ignored):,})."
    return without_compactions(save, ignored, every)


_WARNINGS = "SELECT level, at, outcome FROM warnings WHERE coalesce(at, 0) >= ? ORDER BY at"
# Before the first warning that is known of there was no Tidegauge to give one.
_COMPACTIONS = f"""
SELECT compactions.milliseconds, count(warnings.id) AS warnings,
    coalesce(max(warnings.outcome = {int(WarningOutcome.COMPACTED)}), 0) AS ignored
FROM compactions LEFT JOIN warnings USING (filling)
WHERE compactions.at >= max(:since, (SELECT min(at) FROM warnings)) AND trigger = :auto GROUP BY compactions.id
"""
