"""The parts that filled the windows, summed up under their names."""

import sqlite3
from collections.abc import Iterable

import msgspec

from history.store.schema import PartCertainty, PartKind

MOST = 100
"""Entries of a list."""
_CERTAINTIES = [certainty.name.lower() for certainty in PartCertainty]
"""The names of certainties, which are fields of Filler, by `parts.certainty`."""
_WITHOUT_A_TOOL = {
    PartKind.START: "(start: system prompt, tools, files)",
    PartKind.OUTPUT: "(answers)",
    PartKind.PROMPT: "(prompts and summaries)",
    PartKind.REMOVED: "(removed without a compaction)",
    PartKind.UNSEEN: "(not in the transcript)",
}
# total(), because the sum of absurd counts overflows; a float is exact up to 2^53.
# Grouped by kind, certainty, name, path and subagent, as one number: SQLite takes twice as long to sort five columns.
PARTS = """
WITH width AS (SELECT max(id) + 1 AS names FROM names), sums AS (
    SELECT kind, certainty, name, path, subagent, count(*) AS parts, sum(tokens) AS tokens,
        CAST(total(cost) AS INTEGER) AS cost
    FROM stays, width WHERE coalesce(at, 0) >= ?
    GROUP BY
        ((coalesce(path, 0) * names + coalesce(name, 0)) * names + coalesce(subagent, 0)) * 32 + kind * 4 + certainty
)
SELECT kind, certainty, coalesce(names.text, '') AS name, above.name AS directory, paths.name AS file,
    subagents.text AS subagent, parts, tokens, cost
FROM sums LEFT JOIN names ON names.id = sums.name LEFT JOIN names AS subagents ON subagents.id = subagent
LEFT JOIN paths ON paths.id = path LEFT JOIN paths AS above ON above.id = paths.directory
"""
"""A `file` without a `directory` is itself a directory."""


class Filler(msgspec.Struct):
    name: str
    parts: int = 0
    tokens: int = 0
    """Negative where more left the windows than entered."""
    cost: int = 0
    """Tokens x answers for which they stayed: what they added to the input of all answers."""
    measured: int = 0
    """The tokens that are measured; the two below are the other certainties."""
    split: int = 0
    estimated: int = 0

    @property
    def certainty(self) -> str:
        """The certainty of most of the tokens, such as `split 84%`."""
        amounts = {name: abs(getattr(self, name)) for name in _CERTAINTIES}
        most = max(amounts, key=lambda name: amounts[name])
        part = amounts[most] / (sum(amounts.values()) or 1)
        return most if part > 0.995 else f"{most} {part:.0%}"


def fillers(rows: Iterable[tuple[str, sqlite3.Row]]) -> list[Filler]:
    """Sum up rows of parts, each of one certainty, under their names: the largest first."""
    by_name: dict[str, Filler] = {}
    for name, row in rows:
        filler = by_name.get(name) or by_name.setdefault(name, Filler(name))
        filler.parts += row["parts"]
        filler.tokens += row["tokens"]
        filler.cost += row["cost"]
        certainty = _CERTAINTIES[row["certainty"]]
        setattr(filler, certainty, getattr(filler, certainty) + row["tokens"])
    return sorted(by_name.values(), key=lambda filler: (-filler.tokens, filler.name))[:MOST]


def label(kind: int, name: str) -> str:
    if kind == PartKind.TOOL:
        return name or "(a tool without a name)"
    if kind == PartKind.ATTACHMENT:
        return f"(added by the client: {name})"
    return _WITHOUT_A_TOOL[PartKind(kind)]
