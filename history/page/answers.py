"""The answers of `tidegauge history` that the page shows: the same figures, the same advice."""

import sqlite3

import msgspec

from history.bill.levers import Levers
from history.questions import cache, compactions, limits, sessions, top, warnings
from history.questions.answer.advice import line_of
from history.questions.compactions import Compactions
from history.questions.warnings import LevelWarnings

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
    return PageAnswers(
        compactions=compactions.figures(store, since),
        warnings=warnings.figures(store, since).levels,
        rebuilds=[
            msgspec.structs.replace(rebuilds, cause=cache.CAUSES[rebuilds.cause])
            for rebuilds in cache.rebuilds_of(store, since)
        ],
        advice={section: line_of(ranked.of(names)) for section, names in _SECTIONS.items()},
    )
