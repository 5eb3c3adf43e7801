import time
from typing import Any

import pytest

from monitor.hook import Message
from monitor.memory.memory import Memory, NotifiedLimit
from monitor.speakers.rate_limits import news_of, report_limits
from shared.gauge.bridge import Bridge
from shared.settings.config import Config, Hooks, Messages
from tests.monitor.scene import NORMAL
from tests.monitor.speakers.snapshots import NOW, snapshot_at

RESET = NOW + 2 * 3600
DAYS = 86_400
STEP = "Save the state to PROJECT-SUMMARY.md, and tell the user when work can continue."


def notice(memory: Memory, used: float, *, age: float = 0, agent: str | None = None, **fields: Any) -> str:
    """The text about rate limits with `used` percent of the five-hour limit used."""
    block = fields.get("block", {"five_hour": {"used_percentage": used, "resets_at": fields.get("reset", RESET)}})
    hooks = Hooks(context_warnings=fields.get("is_on", True))
    config = Config(hooks=hooks, messages=Messages(style=fields.get("style", "directive")))
    bridge = Bridge("session-1", 50, 50, NOW - age, rate_limits=block)
    snapshot = snapshot_at(NORMAL, agent=agent, config=config, bridge=bridge)
    is_due = bool(news_of(snapshot, memory))
    message = report_limits(snapshot, memory)
    assert (message is not None) is is_due
    assert message is None or message == Message(message.context)
    return message.context if message else ""


def clock(at: float, form: str = "%H:%M") -> str:
    return time.strftime(form, time.localtime(at))


@pytest.mark.parametrize(("used", "expected"), [(90, 90), (92, 92), (96.4, 96)])
def test_a_limit_near_its_end_is_a_bare_fact(used: float, expected: int) -> None:
    assert notice(Memory(), used) == f"5h limit {expected}% used, resets {clock(RESET)} local time."


@pytest.mark.parametrize(("used", "expected"), [(96.5, 97), (97, 97), (100, 100)])
def test_at_its_end_the_step_follows(used: float, expected: int) -> None:
    assert notice(Memory(), used) == f"5h limit {expected}% used, resets {clock(RESET)} local time. {STEP}"


def test_it_begins_at_90_and_is_repeated_after_5_points() -> None:
    memory, used = Memory(), [50, 89.4, 89.5, 90, 94.4, 94.5, 95, 99, 100, 100]
    assert [bool(notice(memory, percent)) for percent in used] == [
        False, False, True, False, False, True, False, False, True, False,
    ]  # fmt: skip


def test_notices_are_remembered_by_the_limits_name() -> None:
    memory = Memory()
    notice(memory, 92)
    assert memory.limits == {"5h": NotifiedLimit(92, RESET)}
    notice(memory, 0, block={"seven_day": {"used_percentage": 91, "resets_at": RESET}})
    assert set(memory.limits) == {"5h", "7d"}


def test_it_is_repeated_after_the_reset() -> None:
    memory = Memory()
    assert notice(memory, 98)
    assert not notice(memory, 98, reset=RESET + 60)
    assert notice(memory, 91, reset=RESET + 5 * 3600)
    assert not notice(memory, 92, reset=RESET + 5 * 3600)


def test_both_limits_stand_in_one_text_with_one_step() -> None:
    memory = Memory()
    seven = {"used_percentage": 90, "resets_at": NOW + 3 * DAYS}
    block = {"five_hour": {"used_percentage": 98, "resets_at": RESET}, "seven_day": seven}
    text = notice(memory, 0, block=block)
    assert f"5h limit 98% used, resets {clock(RESET)} local time. 7d limit 90% used" in text
    assert f"resets {clock(NOW + 3 * DAYS, '%a %H:%M')} local time." in text
    assert text.count("Save the state") == 1
    assert notice(memory, 0, block=block) == ""


@pytest.mark.parametrize(("ahead", "format_"), [(DAYS - 1, "%H:%M"), (DAYS, "%a %H:%M")])
def test_the_day_is_named_from_24_hours_on(ahead: int, format_: str) -> None:
    assert f"resets {clock(NOW + ahead, format_)} local time." in notice(Memory(), 95, reset=NOW + ahead)


@pytest.mark.parametrize(("age", "is_said"), [(-61, False), (-60, True), (600, True), (601, False)])
def test_a_sample_counts_for_ten_minutes_and_a_clock_set_back_by_a_minute(age: int, *, is_said: bool) -> None:
    assert bool(notice(Memory(), 92, age=age)) is is_said


def test_a_subagent_gets_no_notice() -> None:
    assert notice(Memory(), 95, agent="a1") == ""


def test_a_session_without_a_bridge_gets_no_notice() -> None:
    assert report_limits(snapshot_at(NORMAL), Memory()) is None


def test_it_is_switched_off_with_the_messages() -> None:
    memory = Memory()
    assert notice(memory, 95, is_on=False) == ""
    assert memory == Memory()


@pytest.mark.parametrize("block", [None, 5, {}, {"five_hour": 95}, {"five_hour": {"used_percentage": "much"}}])
def test_an_unreadable_number_is_unknown(block: Any) -> None:
    assert notice(Memory(), 95, block=block) == ""


def test_a_number_expires_at_its_reset() -> None:
    assert notice(Memory(), 95, reset=NOW - 1) == ""


def test_advice_leaves_the_decision_to_the_user() -> None:
    assert "Suggested: save the state" in notice(Memory(), 97, style="advisory")
    assert "Suggested" not in notice(Memory(), 92, style="advisory")


def test_a_limit_without_a_known_reset_names_none() -> None:
    assert notice(Memory(), 92, block={"five_hour": {"used_percentage": 92}}) == "5h limit 92% used."
