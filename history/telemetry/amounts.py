"""The store's figures for each hour: amounts to add up, and the fullest answers."""

import os
import sqlite3
from collections.abc import Iterator

import msgspec

from history.store import schema, store
from history.store.digest import digest_of
from history.telemetry.metrics import COUNTED, LEVEL, PEAKS, PROJECT, Metric, Question

_PROVIDER = ("gen_ai.provider.name", "anthropic")

Attributes = tuple[tuple[str, str], ...]


Cell = tuple[int, int]
"""An hour's beginning, in epoch seconds, and a series: a salted digest of a metric's name and attributes, which name
projects. For gauges, the series of the fill stands for all."""


class Amount(msgspec.Struct, frozen=True):
    metric: Metric
    attributes: Attributes
    value: float
    """The sum; for gauges, the fullest answer's rank."""
    gauges: dict[Metric, float] | None = None
    """The fullest answer's figures; None for a counter."""


def amounts(opened: sqlite3.Connection, since: int) -> dict[Cell, Amount]:
    """Every hour's amounts from `since`, epoch seconds, on. Raises sqlite3.Error."""
    salt, cells = store.salt(opened), dict[Cell, Amount]()

    def cell_of(hour: int, metric: Metric, attributes: Attributes) -> Cell:
        return hour, digest_of(msgspec.json.encode((metric.name, attributes)).decode(), salt)

    for question in COUNTED:
        for hour, attributes, row in _rows(opened, question, since):
            for column, metric in question.metrics.items():
                if row[column]:
                    cell = cell_of(hour, metric, attributes)
                    before = cells[cell].value if cell in cells else 0  # directories of the same name
                    cells[cell] = Amount(metric, attributes, before + row[column])
    fill = PEAKS.metrics["fill"]
    for hour, attributes, row in _rows(opened, PEAKS, since):
        cell = cell_of(hour, fill, attributes)
        if cell not in cells or cells[cell].value < row["rank"]:
            figures = {metric: row[name] for name, metric in PEAKS.metrics.items() if row[name] is not None}
            cells[cell] = Amount(fill, attributes, row["rank"], figures)
    return cells


def _rows(opened: sqlite3.Connection, question: Question, since: int) -> Iterator[tuple[int, Attributes, sqlite3.Row]]:
    cursor = opened.cursor()
    cursor.row_factory = sqlite3.Row
    for row in cursor.execute(question.sql, {"since": since}):
        words = {name: _word(name, row[name]) for name in row.keys() if "." in name}  # noqa: SIM118  a Row is no dict
        yield row["hour"], (_PROVIDER, *((name, word) for name, word in words.items() if word)), row


def _word(name: str, value: int | str | None) -> str:
    """An attribute's value; empty where it has none."""
    if name == LEVEL:
        return str(value or "").lower()
    if isinstance(value, int):
        return schema.WarningOutcome(value).name.lower()
    return _project(value) if name == PROJECT and value else (value or "")


def _project(directory: str) -> str:
    """A directory's last name, the same on every machine; `~` for a home, named after its person. Hashes stay."""
    if directory == os.path.expanduser("~"):
        return "~"
    return os.path.basename(directory.rstrip("/\\")) or directory
