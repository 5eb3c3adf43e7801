"""What a question is: a file in history/questions/, with its answer.

It has SUMMARY, one line for --help; LEVERS, the names of the levers (history.bill.levers) that bear on it;
`figures(store, since)`: what it answers, from a store that `for_reading` has opened, since then (epoch seconds); and
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
    """Their heads; empty if the rows speak for themselves."""
    rows: Sequence[tuple[Cell, ...]]
    """If there are none, the table isn't shown."""
    title: str = ""
    most: int | None = None
    """Rows that are shown: --json has all; None: all of them."""


class QuestionAnswer(msgspec.Struct, frozen=True):
    document: object
    """The answer to --json: a record or a dict, with the API's names of the counts of tokens."""
    tables: Sequence[QuestionTable]
    advice: str = ""
    """The last line: what to change, and how much that would have saved. Empty if there is none."""
    title: str = ""
    facts: Sequence[str] = ()
    """Sentences before the tables."""
    lists_levers: bool = False
    """Whether a sentence names each lever that is smaller than the one of the last line."""

    def since(self, at: int) -> "QuestionAnswer":
        """The answer with the time from which on it holds, 0 for the beginning; one without a title names none."""
        if not self.title:
            return self
        document: dict[str, Any] = msgspec.to_builtins(self.document)
        title = f"{self.title}, since {time_text(at)}" if at else self.title
        return msgspec.structs.replace(self, document={"since": at} | document, title=title)


def time_text(at: int | None) -> str:
    """`2026-11-22 04:59`, local; empty where it isn't known."""
    return "" if at is None else time.strftime("%Y-%m-%d %H:%M", time.localtime(at))
