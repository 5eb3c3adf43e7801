import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.warnings.reminders import Memory, ToolUse, is_outdated, step
from shared.level import Ladder, Level

LADDER = Ladder()
N, W, C, E = Level.NORMAL, Level.WARNING, Level.CRITICAL, Level.EXHAUSTED


def told(*levels: Level, ladder: Ladder = LADDER) -> list[int]:
    """On which tool uses, counted from 1, a message comes; each is a turn of its own."""
    memory, found = Memory(), []
    for number, level in enumerate(levels, 1):
        memory, is_due = step(memory, ToolUse(f"toolu_{number}", level, f"msg_{number}"), ladder)
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
    memory, first = step(Memory(), ToolUse("toolu_1", W, "msg_1"), LADDER)
    memory, second = step(memory, ToolUse("toolu_2", W, "msg_2"), LADDER)
    memory, third = step(memory, ToolUse("toolu_3", W, "msg_3", compaction="c1"), LADDER)
    memory, fourth = step(memory, ToolUse("toolu_4", W, "msg_4", compaction="c1"), LADDER)
    assert [first, second, third, fourth] == [True, False, True, False]


def test_a_compaction_that_lies_too_far_back_to_be_seen_changes_nothing() -> None:
    memory, _ = step(Memory(), ToolUse("toolu_1", W, "msg_1", compaction="c1"), LADDER)
    memory, is_due = step(memory, ToolUse("toolu_2", W, "msg_2"), LADDER)
    assert (is_due, memory.compaction) == (False, "c1")


@pytest.mark.parametrize("level", [W, C, E])
def test_a_parallel_batch_is_told_once(level: Level) -> None:
    memory, found = Memory(), []
    for number in range(1, 13):
        memory, is_due = step(memory, ToolUse(f"toolu_{number}", level, "msg_1"), LADDER)
        found.append(is_due)
    assert found == [True] + [False] * 11


def test_the_tool_uses_of_a_batch_count_as_such() -> None:
    memory = Memory()
    for number in range(1, 7):
        memory, _ = step(memory, ToolUse(f"toolu_{number}", W, "msg_1"), LADDER)
    assert step(memory, ToolUse("toolu_7", W, "msg_2"), LADDER)[1]


def test_tool_uses_of_unknown_answers_are_told_each_for_itself() -> None:
    memory, first = step(Memory(), ToolUse("toolu_1", E), LADDER)
    _, second = step(memory, ToolUse("toolu_2", E), LADDER)
    assert (first, second) == (True, True)


@pytest.mark.parametrize(
    ("use", "seen", "size", "is_old"),
    [(100, 200, 1_000, True), (200, 200, 1_000, False), (300, 200, 1_000, False), (100, 2_000, 1_000, False)],
)
def test_a_hook_that_read_before_another_one_is_outdated(use: int, seen: int, size: int, *, is_old: bool) -> None:
    """Unless what the other one saw is not in this file at all."""
    assert is_outdated(Memory(offset=seen), ToolUse("toolu_1", W, offset=use), size) is is_old


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
        rung = LADDER.rung(level)
        silent = 0 if number in found or rung is None else silent + 1
        assert rung is None or silent < rung.every


@given(LEVELS)
def test_without_a_rise_nobody_is_told_sooner_than_in_a_levels_rhythm(levels: list[Level]) -> None:
    last, before = None, N
    found = set(told(*levels))
    for number, level in enumerate(levels, 1):
        rung = LADDER.rung(level)
        if number in found:
            assert rung is not None
            assert level > before or last is None or number - last >= rung.every
            last = number
        before = level


@given(st.lists(st.tuples(st.sampled_from(Level), st.integers(1, 4)), max_size=20))
def test_no_answer_is_told_about_twice(answers: list[tuple[Level, int]]) -> None:
    memory = Memory()
    for number, (level, tools) in enumerate(answers):
        uses = [ToolUse(f"toolu_{number}_{tool}", level, f"msg_{number}") for tool in range(tools)]
        due = []
        for use in uses:
            memory, is_due = step(memory, use, LADDER)
            due.append(is_due)
        assert sum(due) <= 1
