"""The answers of `tidegauge history` that the page shows: the same figures, the same advice."""

import sqlite3

import msgspec

from history.questions import cache, compactions, limits, sessions, top, warnings
from history.questions.compactions import Compactions
from history.questions.warnings import LevelWarnings
from history.schema import RebuildCause


class PageAnswers(msgspec.Struct, frozen=True):
    """By the sections of the page."""

    compactions: Compactions
    warnings: list[LevelWarnings]
    rebuilds: list[cache.Rebuilds]
    """Their causes in words."""
    advice: dict[str, str]
    """The last line of each section: what to change, and how much that would have saved."""


def collect(store: sqlite3.Connection, since: int) -> PageAnswers:
    """The answers for rows since then; for questions that list every call, only the parts that the page needs."""
    compacted, warned = compactions.figures(store, since), warnings.figures(store, since)
    advice = {
        "growth": top.advice(store, since),
        "compactions": compacted.advice,
        "warnings": warned.advice,
        "cache": cache.advice(store, since),
        "limits": limits.figures(store, since).advice,
        "sessions": sessions.advice(store, since),
    }
    return PageAnswers(
        compactions=compacted,
        warnings=warned.levels,
        rebuilds=[_in_words(one) for one in cache.rebuilds_of(store, since)],
        advice={section: line.line for section, line in advice.items()},
    )


def _in_words(rebuilds: cache.Rebuilds) -> cache.Rebuilds:
    return msgspec.structs.replace(rebuilds, cause=cache.CAUSES[RebuildCause[rebuilds.cause.upper()]])
