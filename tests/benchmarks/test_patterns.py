"""The labelled sessions, and the rules on seeds other than the documented ones."""

import pytest

from benchmarks import patterns
from benchmarks.sessions.degrading import CLEAR, DEGRADING
from benchmarks.sessions.lookalikes import LOOKALIKES
from benchmarks.sessions.writer import MadeUpSession

FORMS = [(name, form) for name, forms in DEGRADING.items() for form in forms]
SEEDS = range(200, 203)


@pytest.mark.parametrize(("name", "form"), FORMS, ids=[form.__name__ for _, form in FORMS])
def test_a_clear_problem_is_found(name: str, form: patterns.Trouble) -> None:
    for seed in SEEDS:
        session = MadeUpSession(f"{form.__name__} {seed}")
        form(session, CLEAR)
        assert name in patterns.patterns_in(session)


def test_lookalikes_are_hardly_ever_reported() -> None:
    alarms = []
    for form in LOOKALIKES:
        for seed in SEEDS:
            session = MadeUpSession(f"{form.__name__} {seed}")
            form(session)
            alarms += [(form.__name__, seed, name) for name in patterns.patterns_in(session)]
    assert len(alarms) <= 1, alarms


def test_a_session_is_the_same_for_the_same_seed() -> None:
    one, other = MadeUpSession("x"), MadeUpSession("x")
    for session in (one, other):
        DEGRADING["confusion"][0](session, CLEAR)
    assert one.transcript == other.transcript


def test_the_tables_count_what_was_found() -> None:
    results = [
        patterns.Result("undoing", "clash", CLEAR, frozenset({"clash", "confusion"})),
        patterns.Result("undoing", "clash", CLEAR, frozenset()),
        patterns.Result("healthy", "", "", frozenset({"clash"})),
    ]
    others = [patterns.Result("x", name, "faint", frozenset({name})) for name in DEGRADING if name != "clash"]
    row = f"| clash | 2 | 1 of 2 | 0 of 0 | {1 + len(others)} | 1 | 0.50 | 0.50 |"
    assert row in patterns.scores(results + others)
