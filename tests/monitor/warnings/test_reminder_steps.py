"""One step of a memory at a time: what is kept after a tool use, and what an older one may change."""

import pytest

from monitor.warnings.messages import saved_in
from monitor.warnings.reminders import LevelObservation, ReminderMemory, aged, is_outdated, step

TOLD = ReminderMemory(2, 1, 2, "msg_1", "c1", 900)


@pytest.mark.parametrize(("level", "is_at_rest"), [(0, True), (1, False), (4, False)])
def test_a_memory_rests_where_nothing_is_told(level: int, *, is_at_rest: bool) -> None:
    assert ReminderMemory(level).is_at_rest is is_at_rest


def test_what_is_told_begins_the_count_of_tool_uses_again() -> None:
    memory, is_due = step(ReminderMemory(1, 4, 1, "msg_1"), LevelObservation(1, "msg_6", offset=700), 5)
    assert is_due
    assert memory == ReminderMemory(1, 0, 1, "msg_6", "", 700)


def test_what_is_not_due_yet_is_counted() -> None:
    memory, is_due = step(ReminderMemory(1, 3, 1, "msg_1"), LevelObservation(1, "msg_5", offset=700), 5)
    assert not is_due
    assert memory == ReminderMemory(1, 4, 1, "msg_1", "", 700)


def test_where_a_level_is_told_once_nothing_is_counted() -> None:
    memory, is_due = step(ReminderMemory(), LevelObservation(2, "msg_1", offset=700), None)
    assert (memory, is_due) == (ReminderMemory(2, 0, 2, "msg_1", "", 700), True)
    for number in range(2, 9):
        memory, is_due = step(memory, LevelObservation(2, f"msg_{number}", offset=700 + number), None)
        assert not is_due
        assert memory.silent == 0


def test_below_the_levels_the_count_begins_again_and_what_was_told_no_longer_holds() -> None:
    memory, is_due = step(TOLD, LevelObservation(0, "msg_2", "c1", 950), None)
    assert not is_due
    assert memory == ReminderMemory(0, 0, 0, "msg_1", "c1", 950, has_outdated=True)


@pytest.mark.parametrize(
    ("offset", "size", "is_older"),
    [(899, 900, True), (899, 5_000, True), (900, 5_000, False), (901, 5_000, False), (899, 899, False), (0, 0, False)],
)
def test_who_has_seen_an_older_answer_of_the_same_file_changes_nothing(
    offset: int, size: int, *, is_older: bool
) -> None:
    """A file that is shorter than what was seen of it has been rewritten."""
    seen = LevelObservation(3, "msg_0", "c1", offset, size)
    assert is_outdated(TOLD, seen) is is_older
    assert (step(TOLD, seen, 1) == (TOLD, False)) is is_older


def test_after_a_compaction_a_filling_begins() -> None:
    found = aged(TOLD, LevelObservation(1, "msg_2", "c2", 950))
    assert found == ReminderMemory(0, 0, 0, "", "c2", 0, has_outdated=True)
    assert aged(ReminderMemory(), LevelObservation(1, "msg_2", "c2", 950)) == ReminderMemory(compaction="c2")


def test_a_parallel_tool_use_of_the_told_answer_takes_nothing_back() -> None:
    assert aged(TOLD, LevelObservation(1, "msg_1", "c1", 900)) == TOLD
    assert aged(TOLD, LevelObservation(1, "msg_2", "c1", 950)).has_outdated
    assert aged(TOLD, LevelObservation(2, "msg_2", "c1", 950)) == TOLD


def test_where_a_checkpoint_lies_is_told_by_the_end_of_its_path() -> None:
    assert saved_in("") == ()
    assert saved_in("/" + "a" * 119) == ("Checkpoint saved: /" + "a" * 119,)
    assert saved_in("/" + "a" * 120) == ("Checkpoint saved: \u2026" + "a" * 119,)
