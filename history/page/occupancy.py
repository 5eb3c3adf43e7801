"""Occupancy: how full each session's window was from answer to answer, with what happened to it."""

import sqlite3
from itertools import groupby
from typing import Any

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


def collect(store: sqlite3.Connection, since: int, rules: LevelRules) -> _Row:
    """The sessions with a call since then, the newest first; each is drawn from its beginning."""
    newest = store.execute(_NEWEST, (since,)).fetchall()
    rows = newest[:_MOST_SESSIONS]
    windows = store.execute("SELECT * FROM windows ORDER BY id").fetchall()
    indexes = {row["id"]: index for index, row in enumerate(windows)}
    chosen = [row["transcript"] for row in rows]
    queries = (_ANSWERS, _COMPACTIONS, _WARNINGS)
    answers, compactions, warnings = (_by_transcript(store, query, chosen) for query in queries)
    curves = [
        _curve(row, indexes, answers[number], compactions[number], warnings[number])
        for number, row in zip(chosen, rows, strict=True)
    ]
    return {"windows": [_window(row, rules) for row in windows], "curves": curves, "left_out": len(newest) - len(rows)}


def _by_transcript(store: sqlite3.Connection, query: str, chosen: list[int]) -> dict[int, list[_Row]]:
    rows: dict[int, list[_Row]] = {transcript: [] for transcript in chosen}
    for row in map(dict, store.execute(query.format(marks=",".join("?" * len(chosen))), chosen)):
        rows[row.pop("transcript")].append(row)
    return rows


def _window(row: sqlite3.Row, rules: LevelRules) -> _Row:
    size, limit = row["tokens"], row["ends_at"]
    return {
        "tokens": size,
        "source": WINDOW_SOURCES.get(row["source"], row["source"]),
        "limit": limit,  # tokens at which the window really ends
        "certainty": LIMIT_SOURCES.get(row["certainty"], row["certainty"]),
        # The tokens at which each level that speaks begins by today's settings; none where the size is unknown.
        "levels": [begins_at(rule, size, limit) for _, rule in rules.above(Level.NORMAL)] if size else [],
    }


def _curve(
    row: sqlite3.Row, indexes: dict[int, int], answers: list[_Row], compactions: list[_Row], warnings: list[_Row]
) -> _Row:
    """One session's window. What is named in the plural has one entry per point."""
    positions = _indexes_to_draw(answers)
    points = [answers[index] for index in positions]
    return {
        "session": row["session"],
        "project": row["project"],
        "model": row["model"],
        "numbers": [index + 1 for index in positions],  # the answers', from 1
        "times": [point["at"] for point in points],
        "fills": [point["fill"] for point in points],  # tokens
        # One digit each, as judged then; `-` if unknown.
        "levels": "".join("-" if point["level"] is None else str(point["level"]) for point in points),
        "windows": [indexes[point["window"]] for point in points],  # the index of the one in use
        "compactions": compactions,
        "warnings": warnings,
    }


def _indexes_to_draw(answers: list[_Row]) -> list[int]:
    """The indexes of the answers to draw: the fullest of each stretch, and the first and last of each cycle."""
    if len(answers) <= _MOST_POINTS:
        return list(range(len(answers)))
    result: set[int] = set()
    for _, cycle in groupby(range(len(answers)), lambda index: answers[index]["cycle"]):
        indexes = list(cycle)
        result.update((indexes[0], indexes[-1]))
    stretch = -(-len(answers) // _MOST_POINTS)
    for start in range(0, len(answers), stretch):
        result.add(max(range(start, min(start + stretch, len(answers))), key=lambda index: int(answers[index]["fill"])))
    return sorted(result)
