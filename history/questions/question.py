"""What a question is: a summary, and a function from the store to figures, tables and a piece of advice."""

import sqlite3
from datetime import datetime
from typing import Protocol

import msgspec

_UNITS = {"h": 3_600, "d": 86_400, "w": 604_800}
_BARS = "▁▂▃▄▅▆▇█"

Cell = str | int | float | None


class QuestionTable(msgspec.Struct, frozen=True):
    """One table. A column of numbers is aligned to the right, and its whole numbers get their commas."""

    columns: tuple[str, ...]
    """Their heads; empty ones where the rows speak for themselves."""
    rows: tuple[tuple[Cell, ...], ...]
    title: str = ""


class QuestionAnswer(msgspec.Struct, frozen=True):
    """What is answered."""

    document: object
    """For --json: a record or a dict, with the API's names of the counts of tokens."""
    tables: tuple[QuestionTable, ...]
    """For a person."""
    advice: str = ""
    """The last line: what to change, and what it would have saved. Empty where nothing would."""


class QuestionModule(Protocol):
    """A file in history/questions/."""

    SUMMARY: str
    """One line for --help."""

    @staticmethod
    def ask(store: sqlite3.Connection, since: int | None) -> QuestionAnswer:
        """Answer from `store` (history.store.for_reading), by what happened at or after `since`, in epoch seconds."""


def since_of(text: str, now: float) -> int:
    """The epoch seconds that `36h`, `7d`, `2w` before `now`, or a date such as 2026-03-01 in local time, stand for.

    Raises ValueError, whose message says what would be right.
    """
    number, unit = text[:-1], text[-1:]
    if unit in _UNITS and number.isdecimal() and len(number) < 6:
        return int(now) - int(number) * _UNITS[unit]
    try:
        return int(datetime.fromisoformat(text).timestamp())
    except (ValueError, OverflowError):
        raise ValueError(f"{text!r} is neither 36h, 7d or 2w nor a date such as 2026-03-01") from None


def sparkline(values: list[float]) -> str:
    """One bar for each of `values`, which are 0 or more; the largest is the highest."""
    largest = max(values, default=0) or 1
    return "".join(_BARS[min(len(_BARS) - 1, int(value * len(_BARS) / largest))] for value in values)
