import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.warnings.reminders import LevelObservation, ReminderMemory, aged, is_outdated, observed, step
from shared.levels import Level, LevelRules
from shared.reading import Usage
from shared.transcript import Tail
from shared.transcript_records import Answer

RULES = LevelRules()
N, W, C, E = Level.NORMAL, Level.WARNING, Level.CRITICAL, Level.EXHAUSTED


def every(level: int) -> int | None:
    rule = RULES.rule(Level(level))
    return rule.every if rule else None


def seen(level: int, answer: str = "", compaction: str = "", offset: int = 0, size: int = 0) -> LevelObservation:
    return LevelObservation(level, answer, compaction, offset, size)


def after(memory: ReminderMemory, observation: LevelObservation) -> tuple[ReminderMemory, bool]:
    return step(memory, observation, every(observation.level))


def told(*levels: Level) -> list[int]:
    """On which tool uses, counted from 1, a message comes; each is a turn of its own."""
    memory, found = ReminderMemory(), []
    for number, level in enumerate(levels, 1):
        memory, is_due = after(memory, seen(level, f"msg_{number}"))
        if is_due:
            found.append(number)
    return found


@pytest.mark.parametrize(
    ("level", "uses"),
    [(N, []), (W, [1, 6, 11]), (C, [1, 3, 5, 7, 9, 11]), (E, list(range(1, 12)))],
)
def test_a_constant_level_is_told_in_its_rhythm(level: Level, uses: list[int]) -> None:
    assert told(*[level] * 11) == uses


@pytest.mark.parametrize(
    ("levels", "uses"),
    [
        ((W, W, C), [1, 3]),
        ((W, W, E), [1, 3]),
        ((W, C, E), [1, 2, 3]),
        ((C, C, E, E), [1, 3, 4]),
        ((N, N, W, C), [3, 4]),
        ((E,), [1]),
    ],
)
def test_an_escalation_is_told_at_once(levels: tuple[Level, ...], uses: list[int]) -> None:
    assert told(*levels) == uses


@pytest.mark.parametrize(
    ("levels", "uses"),
    [
        ((C, W, W, W, W, W, W), [1, 6]),
        ((E, C, C, C), [1, 3]),
        ((E, W, W, W, W, W), [1, 6]),
        ((W, W, W, C, W, W, W, W, W), [1, 4, 9]),
    ],
)
def test_a_fall_to_a_lower_level_stays_in_that_levels_rhythm(levels: tuple[Level, ...], uses: list[int]) -> None:
    assert told(*levels) == uses


def test_a_rise_after_a_fall_is_an_escalation() -> None:
    assert told(C, W, C) == [1, 3]


def test_a_return_to_normal_re_arms() -> None:
    assert told(W, N, W, W) == [1, 3]
    assert told(E, N, W) == [1, 3]


def test_a_compaction_re_arms() -> None:
    memory, first = after(ReminderMemory(), seen(W, "msg_1"))
    memory, second = after(memory, seen(W, "msg_2"))
    memory, third = after(memory, seen(W, "msg_3", compaction="c1"))
    memory, fourth = after(memory, seen(W, "msg_4", compaction="c1"))
    assert [first, second, third, fourth] == [True, False, True, False]


def test_what_was_told_is_outdated_after_a_fall_and_taken_back_by_the_next_message() -> None:
    memory, _ = after(ReminderMemory(), seen(C, "msg_1"))
    memory, is_due = after(memory, seen(W, "msg_2"))
    assert (is_due, memory.has_outdated) == (False, True)
    memory, is_due = after(memory, seen(E, "msg_3"))
    assert (is_due, memory.has_outdated) == (True, False)


def test_what_was_told_is_outdated_after_a_compaction_however_full_the_window_is() -> None:
    memory, _ = after(ReminderMemory(), seen(W, "msg_1"))
    assert aged(memory, seen(C, "msg_2", compaction="c1")).has_outdated
    assert not aged(memory, seen(C, "msg_2")).has_outdated
    assert not aged(ReminderMemory(), seen(W, compaction="c1")).has_outdated


@pytest.mark.parametrize("level", [N, W, C])
def test_what_was_told_holds_while_the_level_does(level: Level) -> None:
    memory, _ = after(ReminderMemory(), seen(level, "msg_1"))
    assert not aged(memory, seen(level, "msg_2")).has_outdated


def test_what_is_outdated_stays_so_until_a_message_says_it() -> None:
    memory, _ = after(ReminderMemory(), seen(W, "msg_1"))
    memory, _ = after(memory, seen(N, "msg_2"))
    assert aged(memory, seen(N, "msg_3", compaction="c1")).has_outdated


def test_after_a_compaction_every_answer_is_a_new_one() -> None:
    memory, _ = after(ReminderMemory(), seen(W, "msg_1", offset=500, size=600))
    memory = aged(memory, seen(N, compaction="c1", offset=700, size=800))
    assert not is_outdated(memory, seen(W, "msg_2", offset=400, size=800))


def test_a_compaction_that_lies_too_far_back_to_be_seen_changes_nothing() -> None:
    memory, _ = after(ReminderMemory(), seen(W, "msg_1", compaction="c1"))
    memory, is_due = after(memory, seen(W, "msg_2"))
    assert (is_due, memory.compaction) == (False, "c1")


@pytest.mark.parametrize("level", [W, C, E])
def test_a_parallel_batch_is_told_once(level: Level) -> None:
    memory, found = ReminderMemory(), []
    for _ in range(12):
        memory, is_due = after(memory, seen(level, "msg_1"))
        found.append(is_due)
    assert found == [True] + [False] * 11


def test_a_batch_that_was_told_of_a_level_is_not_told_of_a_lower_one() -> None:
    memory, found = ReminderMemory(), []
    for level in (E, C, C, C):
        memory, is_due = after(memory, seen(level, "msg_1"))
        found.append(is_due)
    assert found == [True, False, False, False]


def test_the_rhythm_begins_when_the_size_of_the_window_is_known() -> None:
    memory, _ = step(ReminderMemory(), seen(W, "msg_1"), None)
    for number in range(2, 8):
        memory, _ = step(memory, seen(W, f"msg_{number}"), None)
    assert not after(memory, seen(W, "msg_8"))[1]


def test_at_normal_no_tool_use_is_counted() -> None:
    memory, _ = after(ReminderMemory(W, 3, W, "msg_1"), seen(N, "msg_1"))
    assert memory.silent == 0


def test_the_tool_uses_of_a_batch_count_as_such() -> None:
    memory = ReminderMemory()
    for _ in range(6):
        memory, _ = after(memory, seen(W, "msg_1"))
    assert after(memory, seen(W, "msg_2"))[1]


def test_tool_uses_of_unknown_answers_are_told_each_for_itself() -> None:
    memory, first = after(ReminderMemory(), seen(E))
    _, second = after(memory, seen(E))
    assert (first, second) == (True, True)


@pytest.mark.parametrize(
    ("use", "known", "size", "is_old"),
    [(100, 200, 1_000, True), (200, 200, 1_000, False), (300, 200, 1_000, False), (100, 2_000, 1_000, False)],
)
def test_a_hook_that_read_before_another_one_is_outdated(use: int, known: int, size: int, *, is_old: bool) -> None:
    """Unless what the other one saw is not in this file at all."""
    assert is_outdated(ReminderMemory(offset=known), seen(W, offset=use, size=size)) is is_old


LEVELS = st.lists(st.sampled_from(Level), max_size=60)


@given(LEVELS)
def test_normal_is_never_told_and_every_rise_is(levels: list[Level]) -> None:
    found = set(told(*levels))
    for number, (before, level) in enumerate(itertools.pairwise([N, *levels]), 1):
        if level is N:
            assert number not in found
        elif level > before:
            assert number in found


@given(LEVELS)
def test_nobody_waits_longer_than_a_levels_rhythm(levels: list[Level]) -> None:
    found = set(told(*levels))
    silent = 0
    for number, level in enumerate(levels, 1):
        rule = RULES.rule(level)
        silent = 0 if number in found or rule is None else silent + 1
        assert rule is None or silent < rule.every


@given(LEVELS)
def test_without_a_rise_nobody_is_told_sooner_than_in_a_levels_rhythm(levels: list[Level]) -> None:
    last, before = None, N
    found = set(told(*levels))
    for number, level in enumerate(levels, 1):
        rule = RULES.rule(level)
        if number in found:
            assert rule is not None
            assert level > before or last is None or number - last >= rule.every
            last = number
        before = level


@given(st.lists(st.tuples(st.sampled_from(Level), st.integers(1, 4)), max_size=20))
def test_no_answer_is_told_about_twice(answers: list[tuple[Level, int]]) -> None:
    memory = ReminderMemory()
    for number, (level, tools) in enumerate(answers):
        uses = [seen(level, f"msg_{number}")] * tools
        due = []
        for use in uses:
            memory, is_due = after(memory, use)
            due.append(is_due)
        assert sum(due) <= 1


@pytest.mark.parametrize(("holds_tool_use", "answer"), [(True, "msg_1"), (False, "")])
def test_a_tool_use_that_the_transcript_does_not_hold_yet_belongs_to_no_answer(
    holds_tool_use: bool,  # noqa: FBT001  a table
    answer: str,
) -> None:
    newest = Answer("msg_1", "model", Usage(1_000, 0, 0), "", 300, 1)
    tail = Tail(400, 400, (newest,), None, None, holds_tool_use)
    assert observed(W, tail) == seen(W, answer, "", 300, 400)
