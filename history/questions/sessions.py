"""`tidegauge history sessions`: each session, and how its window filled up."""

import sqlite3
from collections import Counter
from itertools import groupby
from operator import itemgetter

import msgspec

from history.questions.answer.question import QuestionAnswer, QuestionTable, time_text
from history.questions.answer.sparkline import sparkline
from shared.text.quantities import duration_text, share_text, tokens_text

SUMMARY = "each session: project, peak fill, answers, compactions, time, and how its window filled up"
LEVERS = ("restart", "compactions")

_MOST_ROWS = 20


class SessionFill(msgspec.Struct, frozen=True):
    """One session's own window, and the number of its subagents."""

    session: str
    project: str
    first_at: int | None
    """Epoch seconds of the first answer."""
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


def figures(store: sqlite3.Connection, since: int) -> list[SessionFill]:
    """The sessions with an answer since then, the newest first."""
    compactions = Counter(session for (session,) in store.execute(_COMPACTIONS, (since,)))
    subagents = dict(store.execute(_SUBAGENTS, (since,)).fetchall())
    sessions = []
    for session, calls in groupby(store.execute(_CALLS, (since,)), key=itemgetter("session")):
        rows = list(calls)
        times = [row["at"] for row in rows if row["at"] is not None]
        peak = max(rows, key=itemgetter("fill"))
        fill = SessionFill(
            session=session,
            project=rows[-1]["project"],
            first_at=min(times, default=None),
            last_at=max(times, default=None),
            answers=len(rows),
            compactions=compactions[session],
            subagents=subagents.get(session, 0),
            peak=peak["fill"],
            window=peak["window"],
            fills=[row["fill"] for row in rows],
        )
        sessions.append(fill)
    return sorted(sessions, key=lambda session: session.last_at or 0, reverse=True)


def presentation(sessions: list[SessionFill]) -> QuestionAnswer:
    rows = [
        (
            time_text(session.last_at),
            duration_text((session.last_at or 0) - (session.first_at or 0)),
            session.answers,
            session.compactions,
            share_text(session.peak / session.window) if session.window else tokens_text(session.peak),
            sparkline(session.fills, max(session.window or 0, session.peak), 12),
            session.project,
        )
        for session in sessions
    ]
    table = QuestionTable(("last answer", "time", "answers", "comp.", "peak", "fill", "project"), rows, most=_MOST_ROWS)
    fact = (
        f"Sessions: {len(sessions):,}; answers: {sum(session.answers for session in sessions):,}; "
        f"compactions (comp.): {sum(session.compactions for session in sessions):,}; "
        f"subagents: {sum(session.subagents for session in sessions):,}."
    )
    return QuestionAnswer({"sessions": sessions}, [table], title="Sessions", facts=[fact])


_CALLS = """
SELECT session, coalesce(paths.name, '') AS project, at, windows.tokens AS window, fill
FROM calls JOIN conversations USING (cycle) LEFT JOIN paths ON paths.id = project JOIN windows ON windows.id = window
WHERE coalesce(at, 0) >= ? AND agent IS NULL ORDER BY session, at, cycle, step
"""
_COMPACTIONS = """
SELECT session FROM compactions JOIN conversations USING (cycle) WHERE coalesce(at, 0) >= ? AND agent IS NULL
"""
_SUBAGENTS = """
SELECT session, count(DISTINCT transcript)
FROM calls JOIN conversations USING (cycle) WHERE coalesce(at, 0) >= ? AND agent IS NOT NULL GROUP BY session
"""
