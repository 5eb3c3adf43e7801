"""The answers of `tidegauge history` that the page shows: the same figures, the same advice."""

import sqlite3

import msgspec

from history.bill.levers import Levers
from history.questions import cache, compactions, limits, sessions, top, warnings
from history.questions.answer.advice import NOTHING
from history.questions.compactions import Compactions
from history.questions.warnings import LevelWarnings
from history.store.schema import RebuildCause

_SECTIONS = {
    "growth": top.LEVERS,
    "compactions": compactions.LEVERS,
    "warnings": warnings.LEVERS,
    "cache": cache.LEVERS,
    "limits": limits.LEVERS,
    "sessions": sessions.LEVERS,
}
"""The levers that bear on each section of the page."""


class PageAnswers(msgspec.Struct, frozen=True):
    """The answers that the page's sections show."""

    compactions: Compactions
    warnings: list[LevelWarnings]
    rebuilds: list[cache.Rebuilds]
    """Their causes in words."""
    advice: dict[str, str]
    """The last line of each section: what to change, and how much that would have saved."""


def collect(store: sqlite3.Connection, since: int, ranked: Levers) -> PageAnswers:
    """The answers for rows since then; for questions that list every call, only the parts that the page needs."""
    best = {section: ranked.best_of(*names) for section, names in _SECTIONS.items()}
    return PageAnswers(
        compactions=compactions.figures(store, since),
        warnings=warnings.figures(store, since).levels,
        rebuilds=[_in_words(rebuild) for rebuild in cache.rebuilds_of(store, since)],
        advice={section: lever.line if lever else NOTHING for section, lever in best.items()},
    )


def _in_words(rebuilds: cache.Rebuilds) -> cache.Rebuilds:
    return msgspec.structs.replace(rebuilds, cause=cache.CAUSES[RebuildCause[rebuilds.cause.upper()]])
