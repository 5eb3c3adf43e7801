"""`tidegauge history cache`: how much of the input came from the prompt cache, and why it was written again."""

import sqlite3
from itertools import groupby

import msgspec

from history.questions.advice import Advice, largest, percent_text
from history.questions.paths import all_paths
from history.questions.question import QuestionAnswer, QuestionColumn, QuestionTable, right, time_text, title_since
from history.questions.sparkline import sparkline
from history.schema import RebuildCause
from shared.quantities import tokens_text

SUMMARY = "how much of the input came from the prompt cache, and why it was written again"

_SHOWN = 10
CAUSES = {
    RebuildCause.EXPIRED: "expired in a pause",
    RebuildCause.COMPACTION: "compaction",
    RebuildCause.MODEL_SWITCH: "another model",
    RebuildCause.PREFIX_CHANGED: "the prefix changed",
}
_CHANGES = {
    RebuildCause.EXPIRED: "Before a long pause, finish the task; start the next one in a new session.",
    RebuildCause.MODEL_SWITCH: "Choose the model when a session starts, or give work for other models to subagents.",
    RebuildCause.PREFIX_CHANGED: "Leave MCP servers, tools and instruction files as they are while a session runs.",
}
"""For the causes that can be avoided; for compactions there is `history compactions`."""


class Rebuilds(msgspec.Struct, frozen=True):
    """Of one cause."""

    cause: str
    """expired, compaction, model_switch or prefix_changed."""
    count: int
    tokens: int
    """That had to be written to the cache again."""
    avoidable: int
    """Of `tokens`, what the advised change would have saved."""


class SessionCache(msgspec.Struct, frozen=True):
    """Of a session's own calls, without its subagents'."""

    session: str
    project: str
    last_at: int | None
    """Epoch seconds."""
    input_tokens: int
    """New, written to the cache and read from it."""
    hit: float | None
    """The share of these that was read from the cache, 0 to 1; null: no input."""
    rebuilds: int
    rebuilt_tokens: int
    turns: list[float | None]
    """The hit rate of each answer, in order."""


class Cache(msgspec.Struct, frozen=True):
    since: int
    input_tokens: int
    """Of all calls, including subagents'."""
    cache_creation_input_tokens: int
    cache_read_input_tokens: int
    hit: float | None
    subagents_hit: float | None
    rebuilds: list[Rebuilds]
    """The costliest first."""
    sessions: list[SessionCache]
    """Those with most written again first."""
    advice: Advice


def ask(store: sqlite3.Connection, since: int | None) -> QuestionAnswer:
    return _shown(figures(store, since or 0))


def figures(store: sqlite3.Connection, since: int) -> Cache:
    totals = store.execute(_TOTALS, (since,)).fetchone()
    rebuilds = rebuilds_of(store, since)
    paths = all_paths(store)
    projects = {key: path for key, (path, _) in paths.items()}
    calls = groupby(store.execute(_CALLS, (since,)), key=lambda row: row["session"])
    sessions = [_session(session, list(rows), projects) for session, rows in calls]
    sessions.sort(key=lambda one: (-one.rebuilt_tokens, -(one.last_at or 0)))
    return Cache(
        since,
        totals["input"],
        totals["creation"],
        totals["read"],
        _hit(totals["read"], totals["input"]),
        _hit(totals["subagents_read"], totals["subagents_input"]),
        rebuilds,
        sessions,
        _advice(rebuilds, totals["creation"]),
    )


def _shown(answer: Cache) -> QuestionAnswer:
    causes = QuestionTable(
        (*right("tokens"), "times", "cause"),
        [(tokens_text(one.tokens), one.count, CAUSES[RebuildCause[one.cause.upper()]]) for one in answer.rebuilds],
        "Written to the cache again",
    )
    sessions = QuestionTable(
        ("last answer", *right("input", "hit", "again"), "missed", QuestionColumn("project", "path")),
        [
            (
                time_text(one.last_at),
                tokens_text(one.input_tokens),
                percent_text(one.hit),
                tokens_text(one.rebuilt_tokens),
                sparkline([None if hit is None else 1 - hit for hit in one.turns], 1),
                one.project,
            )
            for one in answer.sessions[:_SHOWN]
        ],
        "Sessions with most written again",
        max(0, len(answer.sessions) - _SHOWN),
    )
    fact = (
        f"Hit: {percent_text(answer.hit)} of {tokens_text(answer.input_tokens)} input tokens were read from the cache; "
        f"subagents: {percent_text(answer.subagents_hit)}."
    )
    title = title_since("Prompt cache", answer.since)
    return QuestionAnswer(answer, [causes, sessions], answer.advice.line, title, [fact])


def advice(store: sqlite3.Connection, since: int) -> Advice:
    """What to change so that the cache is written less often."""
    return _advice(rebuilds_of(store, since), store.execute(_TOTALS, (since,)).fetchone()["creation"])


def rebuilds_of(store: sqlite3.Connection, since: int) -> list[Rebuilds]:
    """What was written again, by cause, the costliest first."""
    return [
        Rebuilds(RebuildCause(row["rebuild"]).name.lower(), row["count"], row["tokens"], row["avoidable"])
        for row in store.execute(_REBUILDS, (since,))
    ]


def _session(session: str, rows: list[sqlite3.Row], projects: dict[int, str]) -> SessionCache:
    read, whole = sum(row["cache_read"] for row in rows), sum(row["whole"] for row in rows)
    return SessionCache(
        session,
        projects.get(rows[-1]["project"], ""),
        max((row["at"] for row in rows if row["at"] is not None), default=None),
        whole,
        _hit(read, whole),
        sum(row["rebuild"] is not None for row in rows),
        sum(row["rebuilt"] or 0 for row in rows),
        [_hit(row["cache_read"], row["whole"]) for row in rows],
    )


def _hit(read: int, whole: int) -> float | None:
    return round(read / whole, 4) if whole else None


def _advice(rebuilds: list[Rebuilds], written: int) -> Advice:
    causes = {RebuildCause[one.cause.upper()]: one.avoidable for one in rebuilds}
    candidates = [
        Advice(change, causes.get(cause, 0), written, "tokens written to the cache")
        for cause, change in _CHANGES.items()
    ]
    return largest(candidates, "no pause, model switch or changed prefix made the cache be written again.")


_TOTALS = """
SELECT coalesce(sum(input + cache_creation + cache_read), 0) AS input, coalesce(sum(cache_creation), 0) AS creation,
    coalesce(sum(cache_read), 0) AS read,
    coalesce(sum((input + cache_creation + cache_read) * (agent IS NOT NULL)), 0) AS subagents_input,
    coalesce(sum(cache_read * (agent IS NOT NULL)), 0) AS subagents_read
FROM calls JOIN conversations USING (filling) WHERE coalesce(at, 0) >= ?
"""
AVOIDABLE = f"""
CASE rebuild
    WHEN {int(RebuildCause.EXPIRED)} THEN max(0, rebuilt - (
        SELECT first.fill FROM calls AS first WHERE first.filling = calls.filling ORDER BY first.step LIMIT 1))
    WHEN {int(RebuildCause.MODEL_SWITCH)} THEN rebuilt
    WHEN {int(RebuildCause.PREFIX_CHANGED)} THEN rebuilt
    ELSE 0
END
"""
"""For a row of `calls`, the avoidable tokens written again; a new session also has to write its beginning.

That of a fork is in another transcript: there it is the fork's first call, so that the advice promises too little.
"""
_REBUILDS = f"""
SELECT rebuild, count(*) AS count, sum(coalesce(rebuilt, 0)) AS tokens, sum(coalesce({AVOIDABLE}, 0)) AS avoidable
FROM calls WHERE coalesce(at, 0) >= ? AND rebuild IS NOT NULL GROUP BY rebuild ORDER BY tokens DESC
"""
_CALLS = """
SELECT session, project, at, cache_read, input + cache_creation + cache_read AS whole, rebuild, rebuilt
FROM calls JOIN conversations USING (filling)
WHERE coalesce(at, 0) >= ? AND agent IS NULL ORDER BY session, at, filling, step
"""
