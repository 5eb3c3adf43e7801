"""The levers of a generated tree of transcripts, whose best lever is known."""

import pytest

from history.bill.calls import load
from history.bill.levers import RESTARTS, holdout, levers, restart_points
from history.bill.replay import Policy, total
from history.store import store
from history.store.schema import PartKind
from tests.history.questions.stored import Stored
from tests.history.trees import synced, transcript

START_TOKENS, STEP_TOKENS, CALLS, PROMPT_EVERY = 50_000, 9_000, 60, 4
PRICES = {"claude-opus-4-6": "1 2 4 0.1 5"}
WRITE, READ, OUTPUT = 2.0, 0.1, 5.0


def write_session(root: str, name: str, at: float = 0.0) -> None:
    """Write a session whose window grows evenly with each call; every fourth call answers a prompt."""
    session = transcript(root, name)
    for number in range(CALLS):
        if number % PROMPT_EVERY == 0:
            session.prompt()
        tokens = START_TOKENS + number * STEP_TOKENS
        written = STEP_TOKENS if number else START_TOKENS
        usage = {
            "input_tokens": 0,
            "cache_creation_input_tokens": written,
            "cache_read_input_tokens": tokens - written,
        }
        moment = at + 10 * number if at else None
        session.answer(tokens, id=f"{name}-{number}", output=100, usage=usage, tool_use_ids=(), at=moment)


def expected_cost(restart_at: float) -> float:
    """The cost of one such session with restarts at `restart_at`, computed without a store or a replay."""
    window, cost = 0, 0.0
    for number in range(CALLS):
        if number and number % PROMPT_EVERY == 0 and window >= restart_at and window + STEP_TOKENS > START_TOKENS:
            window = START_TOKENS
            cost += window * WRITE
        else:
            written = STEP_TOKENS if number else START_TOKENS
            cost += written * WRITE + window * READ
            window += written
        cost += 100 * OUTPUT
    return cost


@pytest.fixture
def tree(root: str) -> str:
    for number in range(4):
        write_session(root, f"s{number}")
    synced(root)
    return root


def test_every_point_saves_the_known_amount_and_the_best_is_the_optimum(tree: str) -> None:
    with store.for_reading(tree) as opened:
        bill = load(opened, 0, PRICES)
    result = levers(bill)

    savings = {tokens: 1 - expected_cost(tokens) / expected_cost(1e9) for tokens in RESTARTS}
    assert bill.fresh_start == START_TOKENS
    assert bill.total == pytest.approx(4 * expected_cost(1e9))
    assert {point.tokens: point.saved for point in restart_points(bill)} == pytest.approx(savings, abs=1e-5)
    assert result.best_restart == max(savings, key=lambda tokens: savings[tokens])
    assert len(set(savings.values())) > 5


def test_the_restart_is_the_first_lever_and_names_its_basis(tree: str) -> None:
    with store.for_reading(tree) as opened:
        lever = levers(load(opened, 0, PRICES)).worthwhile[0]

    assert lever.name == "restart"
    assert lever.change.endswith(", start the next task in a new session (plain `claude`).")
    assert "each beginning with 50k tokens" in lever.line
    assert "a bound" in lever.line


def test_a_lever_chosen_on_the_older_half_is_tested_on_the_newer(root: str) -> None:
    for number in range(4):
        write_session(root, f"s{number}", at=1_790_000_000.0 + 100_000 * number)
    synced(root)
    with store.for_reading(root) as opened:
        bill = load(opened, 0, PRICES)

    tried = holdout(bill)

    points = {point.tokens: point.saved for point in restart_points(bill)}
    assert tried is not None
    assert (tried.chosen, tried.saved) == (tried.best, tried.best_saved)
    assert points[tried.chosen] == max(points.values()) == tried.saved


def test_a_lever_saving_less_than_a_hundredth_is_not_shown(stored: Stored) -> None:
    session = stored.conversation("s")
    session.call(session.part(PartKind.START, 90_000))
    for _ in range(20):
        session.call(session.tool(1_000))
    session.call(session.tool(100, path="/p/a.py"))
    session.call(session.tool(100, path="/p/a.py"))
    bill = load(stored.asked(), 0, {})

    result = levers(bill)

    assert 0 < total(bill, Policy(without_repeats=True)).saved < 0.01
    assert result.worthwhile == []
    assert result.best_restart is None


def test_an_empty_store_has_no_lever(stored: Stored) -> None:
    bill = load(stored.asked(), 0, {})
    result = levers(bill)

    assert (result.worthwhile, result.best_restart, bill.unpriced) == ([], None, {})
