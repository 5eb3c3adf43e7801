"""Occupancy: how full each session's window was from answer to answer, with what happened to it."""

import sqlite3
from itertools import groupby
from typing import Any

import msgspec

from history.store.schema import urgency
from shared.gauge.levels import Level, LevelRules, begins_at
from shared.gauge.wording import LIMIT_SOURCES, WINDOW_SOURCES

_MOST_SESSIONS = 300
"""Sessions that can be drawn: these curves are most of the page."""
_MOST_POINTS = 240
"""Points of a curve; more than a screen can tell apart."""
_Row = dict[str, Any]
_NEWEST = """
    SELECT transcript, session, coalesce(paths.name, '') AS project, max(calls.at) AS last_at,
        max(names.text) AS model
    FROM calls JOIN conversations USING (cycle)
    JOIN names ON names.id = calls.model LEFT JOIN paths ON paths.id = project
    WHERE agent IS NULL AND calls.at >= ?
    GROUP BY transcript ORDER BY last_at DESC
"""
_ANSWERS = f"""
    SELECT transcript, cycle, calls.at, fill, {urgency("level")} AS level, window
    FROM calls JOIN cycles ON cycles.id = calls.cycle
    WHERE transcript IN ({{marks}}) AND calls.at IS NOT NULL ORDER BY transcript, calls.id
"""
_COMPACTIONS = """
    SELECT transcript, at, trigger, before, after, summary
    FROM compactions JOIN cycles ON cycles.id = cycle WHERE transcript IN ({marks}) AND at IS NOT NULL ORDER BY at
"""
_WARNINGS = f"""
    SELECT transcript, at, {urgency("level")} AS level, outcome
    FROM warnings JOIN cycles ON cycles.id = cycle WHERE transcript IN ({{marks}}) AND at IS NOT NULL ORDER BY at
"""


class DrawnWindow(msgspec.Struct, frozen=True):
    tokens: int | None
    source: str
    """Where the size comes from, in words."""
    limit: int | None
    """Tokens at which the window really ends."""
    certainty: str
    """How certain the limit is, in words."""
    levels: list[int]
    """Tokens at which WARNING, CRITICAL and EXHAUSTED begin by today's settings; empty where the size is unknown."""


class Curve(msgspec.Struct, frozen=True):
    """One session's window. Fields named in the plural have one entry per point."""

    session: str
    project: str
    model: str
    numbers: list[int]
    """The answers' numbers from 1; each is the difference from the one before, like the times."""
    times: list[int]
    fills: list[int]
    """Tokens."""
    levels: str
    """One digit each, as judged then; `-` if unknown."""
    windows: list[tuple[int, int]]
    """Pairs: from which point on, which of Occupancy.windows was in use."""
    compactions: list[_Row]
    """at, trigger, before, after, summary: as the store has them."""
    warnings: list[_Row]
    """at, level, outcome."""


class Occupancy(msgspec.Struct, frozen=True):
    """The newest sessions' curves, and how many more sessions there are."""

    windows: list[DrawnWindow]
    curves: list[Curve]
    left_out: int


def collect(store: sqlite3.Connection, since: int, rules: LevelRules) -> Occupancy:
    """The sessions with a call since then, the newest first; each is drawn from its beginning."""
    newest = store.execute(_NEWEST, (since,)).fetchall()
    drawn = newest[:_MOST_SESSIONS]
    chosen = [row["transcript"] for row in drawn]
    windows = {row["id"]: _window(row, rules) for row in store.execute("SELECT * FROM windows ORDER BY id")}
    indexes = {window: index for index, window in enumerate(windows)}
    answers = _by_transcript(store, _ANSWERS, chosen)
    compactions, warnings = (_by_transcript(store, query, chosen) for query in (_COMPACTIONS, _WARNINGS))
    curves = [
        _curve(row, answers[number], indexes, compactions.get(number, []), warnings.get(number, []))
        for number, row in zip(chosen, drawn, strict=True)
    ]
    return Occupancy(list(windows.values()), curves, len(newest) - len(drawn))


def _by_transcript(store: sqlite3.Connection, query: str, chosen: list[int]) -> dict[int, list[_Row]]:
    rows: dict[int, list[_Row]] = {}
    for row in map(dict, store.execute(query.format(marks=",".join("?" * len(chosen))), chosen)):
        rows.setdefault(row.pop("transcript"), []).append(row)
    return rows


def _window(row: sqlite3.Row, rules: LevelRules) -> DrawnWindow:
    size, limit = row["tokens"], row["ends_at"]
    loud = [rule for level in Level if (rule := rules.rule(level))]
    return DrawnWindow(
        tokens=size,
        source=WINDOW_SOURCES.get(row["source"], row["source"]),
        limit=limit,
        certainty=LIMIT_SOURCES.get(row["certainty"], row["certainty"]),
        levels=[begins_at(rule, size, limit) for rule in loud] if size else [],
    )


def _curve(
    row: sqlite3.Row, answers: list[_Row], indexes: dict[int, int], compactions: list[_Row], warnings: list[_Row]
) -> Curve:
    saved = _prominent(answers)
    points = [answers[index] for index in saved]
    windows = [indexes[point["window"]] for point in points]
    return Curve(
        session=row["session"],
        project=row["project"],
        model=row["model"],
        numbers=_differences([index + 1 for index in saved]),
        times=_differences([point["at"] for point in points]),
        fills=[point["fill"] for point in points],
        levels="".join("-" if point["level"] is None else str(point["level"]) for point in points),
        windows=[(index, now) for index, now in enumerate(windows) if not index or now != windows[index - 1]],
        compactions=compactions,
        warnings=warnings,
    )


def _prominent(answers: list[_Row]) -> list[int]:
    """Which answers are drawn: the fullest of each stretch, and the first and last of each cycle."""
    if len(answers) <= _MOST_POINTS:
        return list(range(len(answers)))
    saved: set[int] = set()
    for _, cycle in groupby(range(len(answers)), lambda index: answers[index]["cycle"]):
        indexes = list(cycle)
        saved.update((indexes[0], indexes[-1]))
    stretch = -(-len(answers) // _MOST_POINTS)
    for start in range(0, len(answers), stretch):
        saved.add(max(range(start, min(start + stretch, len(answers))), key=lambda index: int(answers[index]["fill"])))
    return sorted(saved)


def _differences(values: list[int]) -> list[int]:
    return [value - before for value, before in zip(values, [0, *values], strict=False)]
