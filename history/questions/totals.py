"""The sums of all calls, each counted once and as paid for; a session or subagent counts if it has an answer."""

import sqlite3

from history.questions.answer.question import QuestionAnswer, QuestionTable

SUMMARY = "calls, tokens, compactions and sessions"
LEVERS = ()

_TOTALS = """
SELECT count(*) AS calls, coalesce(sum(input), 0) AS input_tokens,
    coalesce(sum(cache_creation), 0) AS cache_creation_input_tokens,
    coalesce(sum(cache_read), 0) AS cache_read_input_tokens, coalesce(sum(output), 0) AS output_tokens,
    (SELECT count(*) FROM compactions WHERE coalesce(at, 0) >= :since) AS compactions,
    count(DISTINCT session) FILTER (WHERE agent IS NULL) AS sessions,
    count(DISTINCT transcript) FILTER (WHERE agent IS NOT NULL) AS subagents
FROM calls JOIN conversations USING (cycle) WHERE coalesce(at, 0) >= :since
"""


def figures(store: sqlite3.Connection, since: int) -> dict[str, int]:
    return dict(store.execute(_TOTALS, {"since": since}).fetchone())


def presentation(answer: dict[str, int]) -> QuestionAnswer:
    rows = [(name.replace("_", " "), count) for name, count in answer.items()]
    return QuestionAnswer(answer, [QuestionTable(("", ""), rows)])
