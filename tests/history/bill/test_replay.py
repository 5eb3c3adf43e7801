"""Each assumption of the replay, on rows with hand-counted costs: one price unit is one input token."""

import pytest

from history.bill.calls import Bill, load
from history.bill.replay import Policy, total
from history.store.schema import PartKind, RebuildCause
from tests.history.questions.stored import Conversation, Stored

PRICES = {"claude-sonnet-5": "1 2 4 0.1 5"}


def bill_of(stored: Stored) -> Bill:
    return load(stored.asked(), 0, PRICES)


def prompt(session: Conversation, tokens: int = 1_000) -> dict[str, object]:
    return session.part(PartKind.PROMPT, tokens)


def cost(stored: Stored, **policy: object) -> float:
    return total(bill_of(stored), Policy(**policy)).cost  # type: ignore[arg-type]  # by name


def test_the_bill_is_the_sum_of_all_calls(stored: Stored) -> None:
    session = stored.conversation("s")
    session.call(session.tool(50_000), input=7, cache_creation_1h=20_000)
    session.call(session.tool(1_000))

    first, second = 7 + 2 * 30_000 + 4 * 20_000 + 500, 2 * 1_000 + 5_000 + 500
    assert bill_of(stored).total == pytest.approx(first + second)
    assert cost(stored) == pytest.approx(first + second)


def test_a_restart_writes_the_median_start_and_saves_later_reads(stored: Stored) -> None:
    session = stored.conversation("s")
    session.call(session.tool(40_000))
    session.call(session.tool(160_000))
    session.call(prompt(session))
    session.call(session.tool(1_000))
    before = bill_of(stored).total

    outcome = total(bill_of(stored), Policy(restart_at=200_000))

    # third call: 40k written, not 1k written and 200k read; fourth: 161k less read
    saved = (2 * 1_000 + 20_000) - 2 * 40_000 + 16_100
    assert outcome.restarts == 1
    assert before - outcome.cost == pytest.approx(saved)


def test_only_a_prompt_past_the_point_begins_a_new_session(stored: Stored) -> None:
    session = stored.conversation("s")
    session.call(session.tool(40_000))
    session.call(session.tool(160_000))
    session.call(session.tool(10_000))

    assert total(bill_of(stored), Policy(restart_at=200_000)).restarts == 0
    session.call(prompt(session))
    assert total(bill_of(stored), Policy(restart_at=210_001)).restarts == 0
    assert total(bill_of(stored), Policy(restart_at=210_000)).restarts == 1


def test_files_read_before_a_restart_and_changed_after_it_are_read_again(stored: Stored) -> None:
    session = stored.conversation("s")
    session.call(session.tool(40_000))
    session.call(session.tool(100_000, path="/p/changed.py"), session.tool(60_000, path="/p/unused.py"))
    session.call(prompt(session))
    session.call(session.tool(1_000, "Edit", path="/p/changed.py"))
    session.call(session.tool(1_000))

    without = total(bill_of(stored), Policy(restart_at=200_000)).cost
    stored.rows.execute("UPDATE parts SET path = NULL WHERE tokens <= 1000 AND kind = ?", (PartKind.TOOL,))

    assert without - total(bill_of(stored), Policy(restart_at=200_000)).cost == pytest.approx(2 * 100_000 + 10_000)


def test_after_a_rewind_the_window_is_the_branchs(stored: Stored) -> None:
    session = stored.conversation("s")
    session.call(session.tool(40_000))
    session.call(session.tool(160_000))
    session.call(prompt(session), abandoned=4)
    session.call(session.tool(1_000), abandoned=4)
    session.step, session.fill = 1, 40_000
    session.call(prompt(session))
    bill = bill_of(stored)
    last = bill.conversations[0].cycles[0].calls[-1]

    outcome = total(bill, Policy(restart_at=200_000))
    stored.rows.execute("DELETE FROM calls WHERE id = (SELECT max(id) FROM calls)")

    assert outcome.cost - total(bill_of(stored), Policy(restart_at=200_000)).cost == pytest.approx(last.cost)


def test_a_truncated_result_is_requested_again(stored: Stored) -> None:
    session = stored.conversation("s")
    session.call(session.tool(20_000))
    session.call(session.tool(50_000))
    session.call(session.tool(1_000))
    before = bill_of(stored).total

    # of 50k, 30k never enter: not written, not read later; each further call reads the window and asks as before
    saved = 2 * 30_000 + 3_000 - (1_000 + 3_000 + 500)
    assert before - cost(stored, results_at_most=10_000) == pytest.approx(saved)


def test_a_repeated_read_is_neither_written_nor_read(stored: Stored) -> None:
    session = stored.conversation("s")
    session.call(session.tool(30_000, path="/p/a.py"))
    session.call(session.tool(30_000, path="/p/a.py"))
    session.call(session.tool(1_000))
    before = bill_of(stored).total

    assert before - cost(stored, without_repeats=True) == pytest.approx(2 * 30_000 + 3_000)


def test_a_restart_after_a_pause_writes_less_than_the_expired_window(stored: Stored) -> None:
    session = stored.conversation("s")
    session.call(session.tool(40_000))
    session.call(session.tool(60_000))
    expired = {"rebuild": RebuildCause.EXPIRED, "rebuilt": 100_000, "cache_creation": 101_000, "cache_read": 0}
    session.call(prompt(session), **expired)
    before = bill_of(stored).total

    assert before - cost(stored, restart_after_pause=True) == pytest.approx(2 * (101_000 - 40_000))


def test_instead_of_a_compaction_a_session_begins_with_the_median_start(stored: Stored) -> None:
    session = stored.conversation("s")
    session.call(session.tool(40_000))
    session.call(session.tool(110_000))
    session.compaction(before=150_000, summary=3_000)
    session.call(session.tool(25_000))
    session.call(session.tool(1_000))
    before = bill_of(stored).total

    # not paid: the summary's request; written: 40k, not 25k, and so 15k more are read by the call after it
    assert before - cost(stored, restart_for_compaction=True) == pytest.approx(15_000 + 15_000 - 2 * 15_000 - 1_500)


def test_subagents_and_models_without_a_price_are_left_as_they_are(stored: Stored) -> None:
    helper = stored.conversation("s", agent="a1")
    helper.call(helper.tool(300_000))
    helper.call(prompt(helper))
    helper.call(model=stored.name("unheard-of"))
    bill = bill_of(stored)

    assert total(bill, Policy(restart_at=100_000, results_at_most=1_000)).cost == pytest.approx(bill.total)
    assert bill.unpriced == {"unheard-of": 1}
