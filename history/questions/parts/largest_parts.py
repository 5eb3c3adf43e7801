"""The largest single parts of the windows."""

import sqlite3
from collections.abc import Callable, Mapping

import msgspec

from history.store.schema import PartCertainty, PartKind

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


def largest_parts(
    store: sqlite3.Connection,
    since: int,
    names: Mapping[int, str],
    paths: Mapping[int, tuple[str, str]],
    label: Callable[[int, str], str],
) -> list[LargePart]:
    """The ten largest of those that a line of the transcript shows."""
    return [
        LargePart(
            row["tokens"],
            PartCertainty(row["certainty"]).name.lower(),
            row["answers"],
            row["at"],
            row["session"],
            _what(label(row["kind"], names.get(row["name"], "")), paths[row["path"]][0] if row["path"] else ""),
        )
        for row in store.execute(_LARGEST, (since, PartKind.START, PartKind.REMOVED, PartKind.UNSEEN, _MOST))
    ]


def _what(label: str, path: str) -> str:
    return f"{path} ({label})" if path else label


_LARGEST = """
SELECT tokens, certainty, answers, at, session, kind, name, path
FROM stays JOIN conversations USING (cycle)
WHERE coalesce(at, 0) >= ? AND kind NOT IN (?, ?, ?) ORDER BY tokens DESC LIMIT ?
"""
