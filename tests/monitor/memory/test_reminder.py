import itertools
from collections.abc import Sequence

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.memory.reminder import Reminder, has_risen_by, step
from shared.gauge.levels import Level
from tests.levels import SPEAKING

EVERY: dict[Level, int] = {**dict.fromkeys(SPEAKING, 3), Level.WARNING: 5, Level.CRITICAL: 2, Level.EXHAUSTED: 1}
"""A cadence of this test's own: what the settings say by default is in tests/shared/settings."""
N, W, C, E = Level.NORMAL, Level.WARNING, Level.CRITICAL, Level.EXHAUSTED


def every(level: int) -> int | None:
    return EVERY.get(Level(level))


def after(reminder: Reminder, level: int, answer: str = "", most: int | None = None) -> tuple[Reminder, bool]:
    return step(reminder, level, answer, every=every(level), most=most)


def due_uses(levels: Sequence[Level], most: int | None = None) -> list[int]:
    """The tool uses, counted from 1, that bring a message; each is a separate turn."""
    reminder, uses = Reminder(), []
    for number, level in enumerate(levels, 1):
        reminder, is_due = after(reminder, level, f"msg_{number}", most)
        if is_due:
            uses.append(number)
    return uses


@pytest.mark.parametrize(
    ("level", "uses"),
    [(N, []), (W, [1, 6, 11]), (C, [1, 3, 5, 7, 9, 11]), (E, list(range(1, 12)))],
)
def test_a_constant_level_is_repeated_at_its_cadence(level: Level, uses: list[int]) -> None:
    assert due_uses([level] * 11) == uses


@pytest.mark.parametrize(("level", "uses"), [(W, [1, 6, 11]), (C, [1, 3, 5]), (E, [1, 2, 3])])
def test_a_level_has_a_limited_number_of_messages(level: Level, uses: list[int]) -> None:
    assert due_uses([level] * 30, most=3) == uses


def test_each_level_has_its_own_count() -> None:
    levels = [*[W] * 30, *[C] * 10, *[E] * 10]
    assert due_uses(levels, most=3) == [1, 6, 11, 31, 33, 35, 41, 42, 43]


def test_a_level_without_messages_left_stays_silent_when_reached_again() -> None:
    levels = [W, N, W, N, W, N, W, C]
    assert due_uses(levels, most=3) == [1, 3, 5, 8]


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
def test_an_escalation_comes_at_once(levels: tuple[Level, ...], uses: list[int]) -> None:
    assert due_uses(levels) == uses


@pytest.mark.parametrize(
    ("levels", "uses"),
    [
        ((C, W, W, W, W, W, W), [1, 6]),
        ((E, C, C, C), [1, 3]),
        ((E, W, W, W, W, W), [1, 6]),
        ((W, W, W, C, W, W, W, W, W), [1, 4, 9]),
    ],
)
def test_a_fall_to_a_lower_level_keeps_that_levels_cadence(levels: tuple[Level, ...], uses: list[int]) -> None:
    assert due_uses(levels) == uses


def test_a_rise_after_a_fall_is_an_escalation() -> None:
    assert due_uses([C, W, C]) == [1, 3]


def test_a_return_to_normal_re_arms() -> None:
    assert due_uses([W, N, W, W]) == [1, 3]
    assert due_uses([E, N, W]) == [1, 3]


@pytest.mark.parametrize("level", [W, C, E])
def test_a_parallel_batch_has_one_message(level: Level) -> None:
    reminder, messages = Reminder(), []
    for _ in range(12):
        reminder, is_due = after(reminder, level, "msg_1")
        messages.append(is_due)
    assert messages == [True] + [False] * 11


def test_a_batch_with_one_levels_message_gets_none_of_a_lower_level() -> None:
    reminder, messages = Reminder(), []
    for level in (E, C, C, C):
        reminder, is_due = after(reminder, level, "msg_1")
        messages.append(is_due)
    assert messages == [True, False, False, False]


def test_each_tool_use_of_a_batch_counts() -> None:
    reminder = Reminder()
    for _ in range(6):
        reminder, _ = after(reminder, W, "msg_1")
    assert after(reminder, W, "msg_2")[1]


def test_tool_uses_of_unknown_answers_count_separately() -> None:
    reminder, first = after(Reminder(), E)
    _, second = after(reminder, E)
    assert (first, second) == (True, True)


def test_without_a_cadence_a_level_comes_once() -> None:
    reminder, messages = Reminder(), []
    for number in range(1, 9):
        reminder, is_due = step(reminder, C, f"msg_{number}")
        messages.append(is_due)
    assert messages == [True] + [False] * 7


@pytest.mark.parametrize(("uses", "is_due"), [(4, False), (5, True), (12, True)])
def test_tool_uses_the_launcher_skipped_count(uses: int, *, is_due: bool) -> None:
    reminder, _ = after(Reminder(), W, "msg_1")
    reminder, is_second = step(reminder, W, "msg_9", every=5, uses=uses)
    assert is_second is is_due
    assert reminder.uses == (0 if is_due else uses)


def test_at_normal_no_tool_use_is_counted() -> None:
    reminder, _ = after(Reminder(W, 3, W, "msg_1"), N, "msg_1")
    assert reminder == Reminder(answer="msg_1")


def test_a_message_restarts_the_count_of_tool_uses() -> None:
    reminder, is_due = step(Reminder(1, 4, 1, "msg_1", {"1": 1}), 1, "msg_6", every=5)
    assert is_due
    assert reminder == Reminder(1, 0, 1, "msg_6", {"1": 2})


def test_tool_uses_without_a_due_message_are_counted() -> None:
    reminder, is_due = step(Reminder(1, 3, 1, "msg_1"), 1, "msg_5", every=5)
    assert not is_due
    assert reminder == Reminder(1, 4, 1, "msg_1")


@pytest.mark.parametrize("level", [W, C, E])
def test_once_done_it_is_silent_until_the_level_rises(level: Level) -> None:
    reminder, _ = after(Reminder(), level, "msg_0")
    reminder = msgspec.structs.replace(reminder, is_done=True)
    for number in range(1, 30):
        reminder, is_due = after(reminder, level, f"msg_{number}")
        assert not is_due
    if level < E:
        reminder, is_due = after(reminder, level + 1, "msg_30")
        assert is_due
        assert not reminder.is_done  # the next message asks anew


def test_done_lasts_over_a_fall_to_a_lower_level_but_not_over_normal() -> None:
    reminder = Reminder(C, 0, C, "msg_0", {"2": 1}, is_done=True)
    fallen, _ = after(reminder, W, "msg_1")
    assert fallen.is_done
    normal, _ = after(fallen, N, "msg_2")
    assert not normal.is_done
    assert after(normal, W, "msg_3")[1]


@pytest.mark.parametrize(
    ("reminder", "every_", "most", "uses"),
    [
        (Reminder(W), 5, 3, 4),
        (Reminder(W, uses=3), 5, 3, 1),
        (Reminder(W, uses=9), 5, 3, 0),
        (Reminder(W, uses=3), None, 3, None),
        (Reminder(W, uses=3, is_done=True), 5, 3, None),
        (Reminder(W, counts={str(W.value): 2}), 5, 3, 4),
        (Reminder(W, counts={str(W.value): 3}), 5, 3, None),
        (Reminder(W, counts={str(W.value): 3}), 5, None, 4),
        (Reminder(W, counts={str(C.value): 3}), 5, 3, 4),
        (Reminder(E), 1, None, 0),
    ],
)
def test_quiet_uses_bound_the_next_message(
    reminder: Reminder, every_: int | None, most: int | None, uses: int | None
) -> None:
    assert reminder.quiet_uses(every_, most) == uses


@pytest.mark.parametrize("every_", [1, 2, 5])
@pytest.mark.parametrize("most", [None, 1, 3])
@pytest.mark.parametrize("before", range(7))
def test_after_the_quiet_uses_the_next_one_is_due(every_: int, most: int | None, before: int) -> None:
    reminder = Reminder(W, before, W, "msg_0", {"1": 1})
    quiet = reminder.quiet_uses(every_, most)
    if quiet is None:
        assert not step(reminder, W, "msg_1", every=every_, most=most, uses=100)[1]
    else:
        assert quiet == 0 or not step(reminder, W, "msg_1", every=every_, most=most, uses=quiet)[1]
        assert step(reminder, W, "msg_1", every=every_, most=most, uses=quiet + 1)[1]


@pytest.mark.parametrize(
    ("value", "before", "is_news"), [(3, None, True), (94.9, 90, False), (95, 90, True), (80, 90, False)]
)
def test_a_rise_by_enough_points_is_reported(value: float, before: float | None, *, is_news: bool) -> None:
    assert has_risen_by(value, before, 5) is is_news


LEVELS = st.lists(st.sampled_from(Level), max_size=60)
MOST = st.sampled_from([None, 1, 3])


@given(LEVELS)
def test_normal_is_never_reported_and_every_rise_is(levels: list[Level]) -> None:
    uses = set(due_uses(levels))
    for number, (before, level) in enumerate(itertools.pairwise([N, *levels]), 1):
        if level is N:
            assert number not in uses
        elif level > before:
            assert number in uses


@given(LEVELS)
def test_a_message_never_comes_later_than_a_levels_cadence(levels: list[Level]) -> None:
    uses = set(due_uses(levels))
    silent = 0
    for number, level in enumerate(levels, 1):
        cadence = every(level)
        silent = 0 if number in uses or cadence is None else silent + 1
        assert cadence is None or silent < cadence


@given(LEVELS, MOST)
def test_without_a_rise_no_message_comes_sooner_than_a_levels_cadence(levels: list[Level], most: int | None) -> None:
    last, before = None, N
    uses = set(due_uses(levels, most))
    for number, level in enumerate(levels, 1):
        cadence = every(level)
        if number in uses:
            assert cadence is not None
            assert level > before or last is None or number - last >= cadence
            last = number
        before = level


@given(LEVELS, st.integers(1, 4))
def test_no_level_has_more_messages_than_it_may(levels: list[Level], most: int) -> None:
    uses = due_uses(levels, most)
    for level in Level:
        assert sum(levels[number - 1] is level for number in uses) <= most


@given(st.lists(st.tuples(st.sampled_from(Level), st.integers(1, 4)), max_size=20))
def test_no_answer_has_two_messages(answers: list[tuple[Level, int]]) -> None:
    reminder = Reminder()
    for number, (level, tools) in enumerate(answers):
        due = []
        for _ in range(tools):
            reminder, is_due = after(reminder, level, f"msg_{number}")
            due.append(is_due)
        assert sum(due) <= 1


@given(st.lists(st.tuples(st.sampled_from([W, C, E]), st.integers(1, 8)), max_size=20))
def test_tool_uses_count_the_same_whether_they_are_seen_one_by_one_or_together(steps: list[tuple[Level, int]]) -> None:
    together = Reminder()
    for number, (level, uses) in enumerate(steps):
        alone = together
        dues = []
        for use in range(uses):
            alone, is_due = step(alone, level, f"msg_{number}.{use}", every=every(level), most=3)
            dues.append(is_due)
        quiet = together.quiet_uses(every(level), 3) if level == together.level else 0
        if level == together.level and (quiet is None or quiet >= uses):
            assert not any(dues)
            together, is_due = step(together, level, f"msg_{number}.{uses - 1}", every=every(level), most=3, uses=uses)
            assert not is_due
            assert together.uses == alone.uses
        together = alone
