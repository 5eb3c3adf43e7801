"""`tidegauge history cache`: how much of the input came from the prompt cache, and why it was written again.

Input is what was new, written to the cache and read from it; a hit is the share of input, 0 to 1, that was read from
the cache, or null without input.
"""

import sqlite3
from itertools import groupby
from operator import itemgetter

import msgspec

from history.questions.answer.question import QuestionAnswer, QuestionTable, time_text
from history.questions.answer.sparkline import sparkline
from history.store.schema import RebuildCause
from shared.text.quantities import share_text, tokens_text

SUMMARY = "how much of the input came from the prompt cache, and why it was written again"
LEVERS = ("pauses",)

_MOST_ROWS = 10
CAUSES = {
    "expired": "expired in a pause",
    "compaction": "compaction",
    "model_switch": "another model",
    "prefix_changed": "the prefix changed",
}
"""The text for each cause, by its name (RebuildCause)."""


class Rebuilds(msgspec.Struct, frozen=True):
    """Tokens that had to be written to the cache again, for one cause."""

    cause: str
    """One of CAUSES."""
    count: int
    tokens: int


class SessionCache(msgspec.Struct, frozen=True):
    """The cache of a session's own calls, without its subagents'."""

    session: str
    project: str
    last_at: int | None
    """Epoch seconds."""
    input_tokens: int
    hit: float | None
    rebuilds: int
    rebuilt_tokens: int
    turns: list[float | None]
    """The hit of each answer, in order."""


class Cache(msgspec.Struct, frozen=True):
    input_tokens: int
    """The input of all calls, including subagents'."""
    cache_creation_input_tokens: int
    cache_read_input_tokens: int
    hit: float | None
    subagents_hit: float | None
    rebuilds: list[Rebuilds]
    """The costliest first."""
    sessions: list[SessionCache]
    """The session that wrote most again first."""


def figures(store: sqlite3.Connection, since: int) -> Cache:
    totals = store.execute(_TOTALS, (since,)).fetchone()
    calls = groupby(store.execute(_CALLS, (since,)), key=itemgetter("session"))
    sessions = [_session(session, list(rows)) for session, rows in calls]
    sessions.sort(key=lambda session: (-session.rebuilt_tokens, -(session.last_at or 0)))
    return Cache(
        totals["input"],
        totals["creation"],
        totals["read"],
        _hit(totals["read"], totals["input"]),
        _hit(totals["subagents_read"], totals["subagents_input"]),
        rebuilds_of(store, since),
        sessions,
    )


def presentation(answer: Cache) -> QuestionAnswer:
    causes = [(tokens_text(rebuild.tokens), rebuild.count, CAUSES[rebuild.cause]) for rebuild in answer.rebuilds]
    sessions = [
        (
            time_text(session.last_at),
            tokens_text(session.input_tokens),
            share_text(session.hit),
            tokens_text(session.rebuilt_tokens),
            sparkline([None if hit is None else 1 - hit for hit in session.turns], 1),
            session.project,
        )
        for session in answer.sessions
    ]
    columns = ("last answer", "input", "hit", "again", "missed", "project")
    tables = [
        QuestionTable(("tokens", "times", "cause"), causes, "Written to the cache again"),
        QuestionTable(columns, sessions, "Sessions with most written again", _MOST_ROWS),
    ]
    fact = (
        f"Hit: {share_text(answer.hit)} of {tokens_text(answer.input_tokens)} input tokens were read from the cache; "
        f"subagents: {share_text(answer.subagents_hit)}."
    )
    return QuestionAnswer(answer, tables, title="Prompt cache", facts=[fact])


def rebuilds_of(store: sqlite3.Connection, since: int) -> list[Rebuilds]:
    """The rebuilds of the cache by cause, the costliest first."""
    return [
        Rebuilds(RebuildCause(row["rebuild"]).name.lower(), row["count"], row["tokens"])
        for row in store.execute(_REBUILDS, (since,))
    ]


def _session(session: str, rows: list[sqlite3.Row]) -> SessionCache:
    read, whole = sum(row["cache_read"] for row in rows), sum(row["whole"] for row in rows)
    return SessionCache(
        session,
        rows[-1]["project"],
        max((row["at"] for row in rows if row["at"] is not None), default=None),
        whole,
        _hit(read, whole),
        sum(row["rebuild"] is not None for row in rows),
        sum(row["rebuilt"] or 0 for row in rows),
        [_hit(row["cache_read"], row["whole"]) for row in rows],
    )


def _hit(read: int, whole: int) -> float | None:
    return round(read / whole, 4) if whole else None


_TOTALS = """
SELECT coalesce(sum(input + cache_creation + cache_read), 0) AS input, coalesce(sum(cache_creation), 0) AS creation,
    coalesce(sum(cache_read), 0) AS read,
    coalesce(sum((input + cache_creation + cache_read) * (agent IS NOT NULL)), 0) AS subagents_input,
    coalesce(sum(cache_read * (agent IS NOT NULL)), 0) AS subagents_read
FROM calls JOIN conversations USING (cycle) WHERE coalesce(at, 0) >= ?
"""
_REBUILDS = """
SELECT rebuild, count(*) AS count, sum(coalesce(rebuilt, 0)) AS tokens
FROM calls WHERE coalesce(at, 0) >= ? AND rebuild IS NOT NULL GROUP BY rebuild ORDER BY tokens DESC
"""
_CALLS = """
SELECT session, coalesce(paths.name, '') AS project, at, cache_read, input + cache_creation + cache_read AS whole,
    rebuild, rebuilt
FROM calls JOIN conversations USING (cycle) LEFT JOIN paths ON paths.id = project
WHERE coalesce(at, 0) >= ? AND agent IS NULL ORDER BY session, at, cycle, step
"""
