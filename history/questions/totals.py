"""The sums of all calls: each counts once, however many lines and files repeat it.

Tokens are those that were paid for. A session counts if it has at least one message.
"""

import sqlite3

from history.questions.answer.question import QuestionAnswer, QuestionTable

SUMMARY = "calls, tokens, compactions and sessions"
LEVERS = ()

_TOTALS = """
WITH active AS (SELECT session, agent FROM transcripts WHERE first_at IS NOT NULL AND last_at >= :since)
SELECT count(*) AS calls, coalesce(sum(input), 0) AS input_tokens,
    coalesce(sum(cache_creation), 0) AS cache_creation_input_tokens,
    coalesce(sum(cache_read), 0) AS cache_read_input_tokens, coalesce(sum(output), 0) AS output_tokens,
    (SELECT count(*) FROM compactions WHERE coalesce(at, 0) >= :since) AS compactions,
    (SELECT count(DISTINCT session) FROM active WHERE agent IS NULL) AS sessions,
    (SELECT count(DISTINCT session || ' ' || agent) FROM active WHERE agent IS NOT NULL) AS subagents
FROM calls WHERE coalesce(at, 0) >= :since
"""


def figures(store: sqlite3.Connection, since: int) -> dict[str, int]:
    return dict(store.execute(_TOTALS, {"since": since}).fetchone())


def presentation(answer: dict[str, int]) -> QuestionAnswer:
    rows = [(name.replace("_", " "), count) for name, count in answer.items()]
    return QuestionAnswer(answer, [QuestionTable(("", ""), rows)])
