"""The largest single parts of the windows."""

import sqlite3
from collections.abc import Mapping

import msgspec

from history.questions.parts.fillers import CERTAINTIES, label
from history.store.schema import PartKind

_MOST = 10


class LargePart(msgspec.Struct, frozen=True):
    tokens: int
    certainty: str
    """measured, split or estimated."""
    answers: int
    """The number of answers for which it stayed."""
    at: int | None
    """Epoch seconds."""
    session: str
    what: str
    """The path that a tool was called with, then the tool; anything not from a tool is in parentheses."""


def largest_parts(store: sqlite3.Connection, since: int, paths: Mapping[int, tuple[str, str]]) -> list[LargePart]:
    """The ten largest of those that a line of the transcript shows."""
    return [
        LargePart(
            row["tokens"],
            CERTAINTIES[row["certainty"]],
            row["answers"],
            row["at"],
            row["session"],
            _what(label(row["kind"], row["name"]), paths[row["path"]][0] if row["path"] else ""),
        )
        for row in store.execute(_LARGEST, (since, PartKind.START, PartKind.REMOVED, PartKind.UNSEEN, _MOST))
    ]


def _what(label: str, path: str) -> str:
    return f"{path} ({label})" if path else label


_LARGEST = """
SELECT tokens, certainty, answers, at, session, kind, coalesce(names.text, '') AS name, path
FROM stays JOIN conversations USING (cycle) LEFT JOIN names ON names.id = name
WHERE coalesce(at, 0) >= ? AND kind NOT IN (?, ?, ?) ORDER BY tokens DESC LIMIT ?
"""
