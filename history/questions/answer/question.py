"""A question is a file in history/questions/, and this is the form of its answer.

It has SUMMARY, one line for --help; LEVERS, the names of the levers (history.bill.levers) that bear on it;
`figures(store, since)`: its data from `since` (epoch seconds) on, from a store that `for_reading` opened; and
`presentation(figures)`: the QuestionAnswer that a person, or a script, sees.
"""

import time
from collections.abc import Sequence
from typing import Any

import msgspec

Cell = str | int


class QuestionTable(msgspec.Struct, frozen=True):
    """One table. If the last column, such as a path, is too long for the line, its end is shown."""

    columns: Sequence[str]
    """The headings; empty if the rows need none."""
    rows: Sequence[tuple[Cell, ...]]
    """If there are none, the table isn't shown."""
    title: str = ""
    most: int | None = None
    """Most rows that are shown, or None for all; --json has all."""


class QuestionAnswer(msgspec.Struct, frozen=True):
    document: object
    """The answer for --json: a record or a dict, with the API's names for token counts."""
    tables: Sequence[QuestionTable]
    advice: str = ""
    """The last line: what to change, and how much that would have saved. Empty if there is none."""
    title: str = ""
    facts: Sequence[str] = ()
    """Sentences before the tables."""
    lists_levers: bool = False
    """Whether sentences also name the levers that are smaller than the one in the last line."""

    def since(self, at: int) -> "QuestionAnswer":
        """Return the answer with the time that it counts from, 0 for the beginning; unchanged if it has no title."""
        if not self.title:
            return self
        document: dict[str, Any] = msgspec.to_builtins(self.document)
        title = f"{self.title}, since {time_text(at)}" if at else self.title
        return msgspec.structs.replace(self, document={"since": at} | document, title=title)


def time_text(at: int | None) -> str:
    """Local time, such as `2026-11-22 04:59`; empty if unknown."""
    return "" if at is None else time.strftime("%Y-%m-%d %H:%M", time.localtime(at))
