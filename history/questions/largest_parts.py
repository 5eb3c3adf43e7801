"""The largest single parts of the windows."""

import sqlite3
from collections.abc import Callable, Mapping

import msgspec

from history.schema import PartCertainty, PartKind

_MOST = 10


class LargePart(msgspec.Struct, frozen=True):
    tokens: int
    certainty: str
    """measured, split or estimated."""
    answers: int
    """For which it stayed."""
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


def excess_of_results(
    store: sqlite3.Connection, since: int, most: int, names: Mapping[int, str]
) -> list[tuple[str, int, int]]:
    """For each tool: its name, results of more than `most` tokens, and what they cost beyond that in input tokens."""
    rows = store.execute(_EXCESS, {"since": since, "most": most, "tool": PartKind.TOOL})
    return [(names.get(row["name"], "a tool"), row["results"], row["excess"]) for row in rows]


def _what(label: str, path: str) -> str:
    return f"{path} ({label})" if path else label


_LARGEST = """
SELECT tokens, certainty, answers, at, session, kind, name, path
FROM stays JOIN conversations USING (filling)
WHERE coalesce(at, 0) >= ? AND kind NOT IN (?, ?, ?) ORDER BY tokens DESC LIMIT ?
"""
_EXCESS = """
SELECT name, count(*) AS results, sum((tokens - :most) * answers) AS excess
FROM stays WHERE coalesce(at, 0) >= :since AND kind = :tool AND tokens > :most GROUP BY name
"""
