"""What a memory forgets when the window empties, and what it tells of the transcript's newest answer."""

import msgspec
import pytest

from monitor.memory.memory import Memory, Position, SavedLevel, SummaryFile, position_in
from monitor.memory.reminder import Reminder
from shared.gauge.levels import Level
from shared.transcript.records import Answer, Compaction
from shared.transcript.tail import Tail
from tests.monitor.memory.memories import FULL, NOTIFIED, copied


@pytest.mark.parametrize(
    ("offset", "size", "is_older"),
    [(899, 900, True), (899, 5_000, True), (900, 5_000, False), (901, 5_000, False), (899, 899, False), (0, 0, False)],
)
def test_who_has_seen_an_older_answer_of_the_same_file_changes_nothing(
    offset: int, size: int, *, is_older: bool
) -> None:
    """A file that is shorter than what was seen of it has been rewritten."""
    memory = copied(NOTIFIED)
    assert memory.observe(Position(offset, size, "c1")) is not is_older
    assert memory == (NOTIFIED if is_older else msgspec.structs.replace(NOTIFIED, offset=offset))


def test_after_a_compaction_a_window_cycle_begins() -> None:
    memory = copied(FULL)
    memory.has_outdated = False
    assert memory.observe(Position(950, 1_000, "c2"))
    assert (memory.compaction, memory.offset, memory.has_outdated) == ("c2", 950, True)
    assert memory.level == memory.pivot == memory.notification == Reminder()
    assert (memory.saved, memory.summary_file, memory.ceiling) == (SavedLevel(), SummaryFile(), None)
    assert memory.prompt == msgspec.structs.replace(FULL.prompt, cost_tokens=0)  # type: ignore[type-var]  # it has one
    for part in ("limits", "stale_files", "pivot_state", "pivot_notice", "pending_bytes"):
        assert getattr(memory, part) == getattr(FULL, part)


def test_where_nothing_was_said_a_compaction_outdates_nothing() -> None:
    memory = Memory()
    assert memory.observe(Position(950, 1_000, "c2"))
    assert memory == Memory(compaction="c2", offset=950)


def test_after_a_compaction_only_later_answers_count() -> None:
    memory = copied(NOTIFIED)
    assert memory.observe(Position(700, 800, "c2"))
    assert memory.observe(Position(800, 900, "c2"))
    memory.begin_cycle()
    assert not memory.observe(Position(800, 900, "c2"))  # the transcript comes late
    assert memory.observe(Position(950, 1_000, "c3"))


def test_a_compaction_that_lies_too_far_back_to_be_seen_changes_nothing() -> None:
    memory = copied(NOTIFIED)
    assert memory.observe(Position(950, 1_000, ""))
    assert memory == msgspec.structs.replace(NOTIFIED, offset=950)


@pytest.mark.parametrize(
    ("level", "answer", "has_outdated"),
    [
        (Level.NORMAL, "msg_2", True),
        (Level.WARNING, "msg_2", True),
        (Level.WARNING, "", True),
        (Level.WARNING, "msg_1", False),  # another call of the answer that was told
        (Level.CRITICAL, "msg_2", False),
        (Level.EXHAUSTED, "msg_2", False),
    ],
)
def test_a_fall_outdates_what_was_said(level: Level, answer: str, *, has_outdated: bool) -> None:
    memory = copied(NOTIFIED)
    memory.fall(level, Position(950, 1_000, "c1", answer))
    assert memory.has_outdated is has_outdated


def test_what_is_outdated_stays_so_until_a_text_says_it_once() -> None:
    memory = copied(NOTIFIED)
    assert not memory.take_back()
    memory.fall(Level.NORMAL, Position(950, 1_000, "c1"))
    memory.fall(Level.CRITICAL, Position(960, 1_000, "c1"))
    assert [memory.take_back(), memory.take_back()] == [True, False]


@pytest.mark.parametrize(
    ("memory", "is_at_rest"),
    [
        (Memory(), True),
        (Memory(compaction="c1", offset=900, limits=FULL.limits, prompt=FULL.prompt), True),
        (Memory(has_outdated=True), False),
        (Memory(level=Reminder(1)), False),
        (Memory(level=Reminder(notified=1)), False),
        (Memory(pivot=Reminder(4)), False),
        (Memory(notification=Reminder(2)), False),
        (Memory(saved=SavedLevel(2)), False),
        (Memory(pending_bytes=20_000), False),
    ],
)
def test_a_memory_rests_where_nothing_has_to_be_forgotten(memory: Memory, *, is_at_rest: bool) -> None:
    assert memory.is_at_rest is is_at_rest


NEWEST = Answer("msg_1", "model", 1_000, 0, "", 300, ("toolu_1",))


@pytest.mark.parametrize(("holds_tool_use", "answer"), [(True, "msg_1@1000"), (False, "")])
def test_a_tool_use_that_the_transcript_does_not_hold_yet_belongs_to_no_answer(
    holds_tool_use: bool,
    answer: str,
) -> None:
    assert position_in(Tail(400, 400, (NEWEST,), None, None, holds_tool_use)) == Position(300, 400, "", answer)


def test_a_position_names_the_newest_compaction() -> None:
    tail = Tail(400, 400, (), Compaction("c7", "auto", 169_000, 3_200, ""), None, holds_tool_use=False)
    assert position_in(tail) == Position(0, 400, "c7", "")
    assert position_in(None) == Position()
