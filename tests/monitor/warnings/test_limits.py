import time
from pathlib import Path
from typing import Any

import pytest

from monitor.session import Conversation, Session
from monitor.warnings import limits
from shared import paths
from shared.bridge import Bridge
from shared.config import Config, Messages

NOW = 1_795_272_100.0
RESET = NOW + 2 * 3600
DAYS = 86_400


def due(root: Path, used: float, *, age: float = 0, agent: str | None = None, **fields: Any) -> str:
    block = fields.pop("block", {"five_hour": {"used_percentage": used, "resets_at": fields.get("reset", RESET)}})
    config = Config(messages=Messages(style=fields.get("style", "directive")))
    session = Session(str(root), config, {}, NOW)
    bridge = Bridge("session-1", 50, 50, NOW - age, rate_limits=block)
    return limits.due(Conversation("session-1", "", agent), session, bridge)


def clock(at: float, form: str = "%H:%M") -> str:
    return time.strftime(form, time.localtime(at))


def test_a_limit_near_its_end_is_told_with_the_step(root: Path) -> None:
    step = "Save the state to PROJECT-SUMMARY.md, and tell the user when work can continue."

    assert due(root, 92) == f"5h limit 92% used, resets {clock(RESET)}. {step}"


def test_it_begins_at_90_and_is_told_again_after_5_points(root: Path) -> None:
    used = [50, 89.4, 89.5, 90, 94.4, 94.5, 95, 99, 100, 100]

    assert [bool(due(root, percent)) for percent in used] == [
        False, False, True, False, False, True, False, False, True, False,
    ]  # fmt: skip


def test_after_its_reset_it_is_told_again(root: Path) -> None:
    assert due(root, 98)
    assert not due(root, 98, reset=RESET + 60)
    assert due(root, 91, reset=RESET + 5 * 3600)
    assert not due(root, 92, reset=RESET + 5 * 3600)


def test_both_limits_stand_in_one_text(root: Path) -> None:
    seven = {"used_percentage": 90, "resets_at": NOW + 3 * DAYS}
    block = {"five_hour": {"used_percentage": 95, "resets_at": RESET}, "seven_day": seven}
    said = due(root, 0, block=block)

    assert f"5h limit 95% used, resets {clock(RESET)}. 7d limit 90% used" in said
    assert f"resets {clock(NOW + 3 * DAYS, '%a %H:%M')}." in said
    assert said.count("Save the state") == 1
    assert due(root, 0, block=block) == ""


@pytest.mark.parametrize(("ahead", "format_"), [(DAYS - 1, "%H:%M"), (DAYS, "%a %H:%M")])
def test_the_day_is_named_from_24_hours_on(root: Path, ahead: int, format_: str) -> None:
    assert f"resets {clock(NOW + ahead, format_)}." in due(root, 95, reset=NOW + ahead)


def test_only_a_sample_of_the_last_ten_minutes_counts(root: Path) -> None:
    assert due(root, 95, age=601) == ""
    assert due(root, 95, age=-61) == ""
    assert due(root, 95, age=600) != ""


def test_a_subagent_and_a_session_without_a_bridge_are_told_nothing(root: Path) -> None:
    session = Session(str(root), Config(), {}, NOW)

    assert due(root, 95, agent="a1") == ""
    assert limits.due(Conversation("session-1", ""), session, None) == ""


@pytest.mark.parametrize("block", [None, 5, {}, {"five_hour": 95}, {"five_hour": {"used_percentage": "much"}}])
def test_what_cannot_be_read_is_unknown(root: Path, block: Any) -> None:
    assert due(root, 95, block=block) == ""


def test_past_its_reset_a_number_no_longer_holds(root: Path) -> None:
    assert due(root, 95, reset=NOW - 1) == ""


def test_a_damaged_memory_counts_as_none(root: Path) -> None:
    assert due(root, 95)
    Path(paths.told_limits(str(root), "session-1")).write_text('{"5h": 3}')

    assert due(root, 95)


def test_advice_leaves_the_decision_to_the_user(root: Path) -> None:
    assert "Recommended: save the state" in due(root, 95, style="advisory")


def test_a_limit_whose_reset_is_not_known_names_none(root: Path) -> None:
    assert due(root, 92, block={"five_hour": {"used_percentage": 92}}).startswith("5h limit 92% used. Save the state")


@pytest.mark.parametrize(("age", "is_told"), [(-61, False), (-60, True), (600, True), (601, False)])
def test_a_sample_counts_for_ten_minutes_and_a_clock_set_back_by_a_minute(
    root: Path, age: int, *, is_told: bool
) -> None:
    assert bool(due(root, 92, age=age)) is is_told
