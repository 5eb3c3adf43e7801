"""The pivot's reminder: the monitor's without a rhythm of its own."""

from itertools import count

import pytest

from monitor.pivot.state import PivotReminder
from monitor.warnings.reminders import LevelObservation, step
from shared.levels import PivotLevel

ALERT, CRITICAL, EMERGENCY = PivotLevel.ALERT, PivotLevel.CRITICAL, PivotLevel.EMERGENCY
NORMAL, WARNING = PivotLevel.NORMAL, PivotLevel.WARNING


def told_once(*levels: PivotLevel) -> list[bool]:
    """Whether each of a session's turns tells its level."""
    known, answers, found = PivotReminder(), count(1), []
    for level in levels:
        number = next(answers)
        known, is_new = step(known, LevelObservation(level, f"msg_{number}", "", number * 100, number * 100 + 50), None)
        found.append(is_new)
    return found


def test_without_a_rhythm_a_level_is_told_once() -> None:
    assert told_once(NORMAL, WARNING, WARNING, ALERT, ALERT, CRITICAL, CRITICAL, EMERGENCY, EMERGENCY) == [
        False, True, False, True, False, True, False, True, False,
    ]  # fmt: skip


def test_a_leap_tells_the_level_that_it_reaches_alone() -> None:
    assert told_once(NORMAL, EMERGENCY, EMERGENCY) == [False, True, False]


def test_a_fall_is_not_told_and_re_arms() -> None:
    assert told_once(CRITICAL, ALERT, CRITICAL, NORMAL, ALERT) == [True, False, True, False, True]


def test_a_compaction_re_arms_although_no_fall_was_seen() -> None:
    known, _ = step(PivotReminder(), LevelObservation(ALERT, "msg_1", "", 100, 150), None)
    known, is_new = step(known, LevelObservation(ALERT, "msg_2", "boundary-1", 300, 350), None)
    assert is_new
    assert step(known, LevelObservation(ALERT, "msg_3", "boundary-1", 400, 450), None)[1] is False
    assert step(known, LevelObservation(ALERT, "msg_4", "boundary-2", 500, 550), None)[1] is True


def test_what_the_person_is_still_to_be_told_outlives_a_compaction() -> None:
    known, _ = step(PivotReminder(notice="news"), LevelObservation(ALERT, "msg_1", "boundary-1", 100, 150), None)
    assert known.notice == "news"


@pytest.mark.parametrize("answer", ["msg_1", ""])
def test_a_parallel_batch_is_told_once_without_a_rhythm(answer: str) -> None:
    known, is_new = step(PivotReminder(), LevelObservation(CRITICAL, answer, "", 100, 150), None)
    assert is_new
    for _ in range(3):
        known, is_new = step(known, LevelObservation(CRITICAL, answer, "", 100, 150), None)
        assert not is_new


def test_numbers_that_waver_within_a_batch_are_told_once() -> None:
    known = PivotReminder()
    found = []
    for level in (ALERT, WARNING, ALERT, WARNING):
        known, is_new = step(known, LevelObservation(level, "msg_1", "", 100, 150), None)
        found.append(is_new)
    assert found == [True, False, False, False]


def test_an_older_reading_changes_nothing() -> None:
    known, _ = step(PivotReminder(), LevelObservation(CRITICAL, "msg_9", "", 900, 950), None)
    assert step(known, LevelObservation(WARNING, "msg_8", "", 800, 950), None) == (known, False)


def test_a_transcript_that_was_rewritten_is_not_older() -> None:
    known, _ = step(PivotReminder(), LevelObservation(CRITICAL, "msg_9", "", 900, 950), None)
    assert step(known, LevelObservation(EMERGENCY, "msg_1", "", 100, 150), None)[1] is True
