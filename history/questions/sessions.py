"""`tidegauge history sessions`: each session, and how its window filled up."""

import sqlite3
from collections import Counter
from itertools import groupby

import msgspec

from history.questions.advice import Advice, largest, percent_text
from history.questions.paths import all_paths
from history.questions.question import QuestionAnswer, QuestionColumn, QuestionTable, right, time_text, title_since
from history.questions.sparkline import sparkline
from shared.duration import duration_text
from shared.levels import Level
from shared.quantities import tokens_text

SUMMARY = "each session: project, peak fill, answers, compactions, time, and how its window filled up"

_SHOWN = 20


class SessionFill(msgspec.Struct, frozen=True):
    """One session's own window; of its subagents only the number."""

    session: str
    project: str
    first_at: int | None
    """Epoch seconds, of answers."""
    last_at: int | None
    answers: int
    compactions: int
    subagents: int
    peak: int
    """The most tokens in the window."""
    window: int | None
    """The window's size then; null: unknown."""
    fills: list[int]
    """Tokens in the window at each answer."""

    @property
    def seconds(self) -> int:
        """The time from its first answer to its last."""
        return (self.last_at or 0) - (self.first_at or 0)


class Sessions(msgspec.Struct, frozen=True):
    since: int
    sessions: list[SessionFill]
    """The newest first."""
    advice: Advice


def ask(store: sqlite3.Connection, since: int | None) -> QuestionAnswer:
    return _shown(figures(store, since or 0))


def figures(store: sqlite3.Connection, since: int) -> Sessions:
    windows = {row["id"]: row["tokens"] for row in store.execute("SELECT id, tokens FROM windows")}
    projects = {key: path for key, (path, _) in all_paths(store).items()}
    compactions = Counter(row["session"] for row in store.execute(_COMPACTIONS, (since,)))
    subagents = {row["session"]: row["count"] for row in store.execute(_SUBAGENTS, (since,))}
    sessions = []
    for session, calls in groupby(store.execute(_CALLS, (since,)), key=lambda row: row["session"]):
        rows = list(calls)
        times = [row["at"] for row in rows if row["at"] is not None]
        peak = max(rows, key=lambda row: row["fill"])
        sessions.append(
            SessionFill(
                session,
                projects.get(rows[-1]["project"], ""),
                min(times, default=None),
                max(times, default=None),
                len(rows),
                compactions[session],
                subagents.get(session, 0),
                peak["fill"],
                windows[peak["window"]],
                [row["fill"] for row in rows],
            )
        )
    sessions.sort(key=lambda one: one.last_at or 0, reverse=True)
    return Sessions(since, sessions, advice(store, since))


def advice(store: sqlite3.Connection, since: int) -> Advice:
    """What to change so that full windows cost less."""
    ((carried,),) = store.execute(_CARRIED, {"since": since, "warning": Level.WARNING})
    ((whole,),) = store.execute(_WHOLE, (since,))
    change = "At the first WARNING, finish the step and continue in a new session (tidegauge resume)."
    return largest([Advice(change, carried, whole)], "no session continued after a WARNING.")


def _shown(answer: Sessions) -> QuestionAnswer:
    rows = [
        (
            time_text(one.last_at),
            duration_text(one.seconds),
            one.answers,
            one.compactions,
            percent_text(one.peak / one.window) if one.window else tokens_text(one.peak),
            sparkline(one.fills, max(one.window or 0, one.peak), 12),
            one.project,
        )
        for one in answer.sessions[:_SHOWN]
    ]
    table = QuestionTable(
        ("last answer", *right("time"), "answers", "comp.", *right("peak"), "fill", QuestionColumn("project", "path")),
        rows,
        more=max(0, len(answer.sessions) - _SHOWN),
    )
    fact = (
        f"Sessions: {len(answer.sessions):,}; answers: {sum(one.answers for one in answer.sessions):,}; "
        f"compactions (comp.): {sum(one.compactions for one in answer.sessions):,}; "
        f"subagents: {sum(one.subagents for one in answer.sessions):,}."
    )
    title = title_since("Sessions", answer.since)
    return QuestionAnswer(answer, [table], answer.advice.line, title, [fact])


_CALLS = """
SELECT session, project, at, window, fill
FROM calls JOIN conversations USING (filling)
WHERE coalesce(at, 0) >= ? AND agent IS NULL ORDER BY session, at, filling, step
"""
_COMPACTIONS = """
SELECT session FROM compactions JOIN conversations USING (filling) WHERE coalesce(at, 0) >= ? AND agent IS NULL
"""
_SUBAGENTS = """
SELECT session, count(DISTINCT transcript) AS count
FROM calls JOIN conversations USING (filling) WHERE coalesce(at, 0) >= ? AND agent IS NOT NULL GROUP BY session
"""
_WHOLE = """
SELECT coalesce(sum(input + cache_creation + cache_read), 0)
FROM calls JOIN conversations USING (filling) WHERE coalesce(at, 0) >= ? AND agent IS NULL
"""
_CARRIED = """
WITH own AS (
    SELECT filling, step, fill, level
    FROM calls JOIN conversations USING (filling) WHERE coalesce(at, 0) >= :since AND agent IS NULL
), begun AS (
    SELECT filling, min(step) AS step, fill FROM own GROUP BY filling
), warned AS (
    SELECT own.filling, min(own.step), own.fill, count(*) - 1 AS later
    FROM own JOIN begun ON begun.filling = own.filling AND own.step > begun.step
    WHERE level >= :warning GROUP BY own.filling
)
SELECT coalesce(sum(later * max(0, warned.fill - begun.fill)), 0) FROM warned JOIN begun USING (filling)
"""
"""Input tokens that the answers after the first at WARNING would not have had in a new session.

Each had what had entered since its filling began; the new session would have grown by the same steps. SQLite takes
`fill` from the row with the smallest step.
"""
