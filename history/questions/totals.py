"""The sums of all calls: each counts once, however many lines and files repeat it."""

import sqlite3

import msgspec

from history.questions.answer.question import QuestionAnswer, QuestionTable

SUMMARY = "calls, tokens, compactions and sessions"
LEVERS = ()

_CALLS = (
    "SELECT count(*), coalesce(sum(input), 0), coalesce(sum(cache_creation), 0), coalesce(sum(cache_read), 0),"
    " coalesce(sum(output), 0)"
    " FROM calls WHERE coalesce(at, 0) >= :since"
)
_COMPACTIONS = "SELECT count(*) FROM compactions WHERE coalesce(at, 0) >= :since"
_TRANSCRIPTS = (
    "SELECT count(DISTINCT CASE WHEN agent IS NULL THEN session END),"
    " count(DISTINCT CASE WHEN agent IS NOT NULL THEN session || ' ' || agent END)"
    " FROM transcripts WHERE first_at IS NOT NULL AND last_at >= :since"
)


class HistoryTotals(msgspec.Struct, frozen=True):
    """The whole, or what happened since a time. Tokens are those that were paid for."""

    calls: int
    """The model's answers, errors not counted."""
    input_tokens: int
    cache_creation_input_tokens: int
    cache_read_input_tokens: int
    output_tokens: int
    compactions: int
    sessions: int
    """Sessions with at least one message."""
    subagents: int


def figures(store: sqlite3.Connection, since: int) -> HistoryTotals:
    values = {"since": since}
    calls, fresh, written, read, output = store.execute(_CALLS, values).fetchone()
    (compactions,) = store.execute(_COMPACTIONS, values).fetchone()
    sessions, subagents = store.execute(_TRANSCRIPTS, values).fetchone()
    return HistoryTotals(calls, fresh, written, read, output, compactions, sessions, subagents)


def shown(answer: HistoryTotals) -> QuestionAnswer:
    rows = tuple((name.replace("_", " "), count) for name, count in msgspec.structs.asdict(answer).items())
    return QuestionAnswer(answer, (QuestionTable(("", ""), rows),))
