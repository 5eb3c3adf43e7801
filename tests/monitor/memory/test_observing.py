"""What a memory forgets when the window empties, and how it tracks the transcript's newest answer."""

from pathlib import Path

import msgspec
import pytest

from monitor.memory.memory import Memory, PromptMemory, SavedLevel, SummaryFile
from monitor.memory.reminder import Reminder
from shared.gauge.levels import Level
from shared.transcript.tail import NO_TAIL
from tests.monitor.memory.memories import FULL, NOTIFIED, copied, tail_at


@pytest.mark.parametrize(
    ("offset", "size", "is_older"),
    [(899, 900, True), (899, 5_000, True), (900, 5_000, False), (901, 5_000, False), (899, 899, False), (0, 0, False)],
)
def test_an_older_answer_of_the_same_file_changes_nothing(offset: int, size: int, *, is_older: bool) -> None:
    """A file that is shorter than its last seen size has been rewritten."""
    memory = copied(NOTIFIED)
    assert memory.observe(tail_at(offset, size, "c1")) is not is_older
    assert memory == (NOTIFIED if is_older else msgspec.structs.replace(NOTIFIED, offset=offset))


def test_a_reading_older_than_a_reported_answer_changes_nothing(tmp_path: Path) -> None:
    memory, transcript = copied(NOTIFIED), tmp_path / "session.jsonl"
    transcript.write_bytes(b"x" * 1_000)
    assert not memory.observe(tail_at(700, 800, "c1"), str(transcript))
    assert memory == NOTIFIED
    transcript.write_bytes(b"x" * 800)
    assert memory.observe(tail_at(700, 800, "c1"), str(transcript))


def test_an_older_answer_counts_if_it_called_the_current_tool() -> None:
    """The newer one belongs to another client that continues the same session."""
    memory = copied(NOTIFIED)
    assert memory.observe(tail_at(700, 5_000, "c1", holds_tool_use=True))
    assert memory == NOTIFIED


def test_after_a_compaction_a_window_cycle_begins() -> None:
    memory = copied(FULL)
    memory.has_outdated = False
    assert memory.observe(tail_at(950, 1_000, "c2"))
    assert (memory.compaction, memory.offset, memory.has_outdated) == ("c2", 950, True)
    assert memory.level == memory.pivot == memory.notification == Reminder()
    assert (memory.saved, memory.summary_file, memory.ceiling) == (SavedLevel(), SummaryFile(), None)
    assert memory.prompt == msgspec.structs.replace(FULL.prompt, cost_tokens=0, tagged=0)  # type: ignore[type-var]  # it has one
    for part in ("limits", "pivot_state", "pivot_notice", "pending_bytes"):
        assert getattr(memory, part) == getattr(FULL, part)


def test_a_compaction_without_earlier_messages_outdates_nothing() -> None:
    memory = Memory()
    assert memory.observe(tail_at(950, 1_000, "c2"))
    assert memory == Memory(compaction="c2", offset=950)


def test_after_a_compaction_only_later_answers_count() -> None:
    memory = copied(NOTIFIED)
    assert memory.observe(tail_at(700, 800, "c2"))
    assert memory.observe(tail_at(800, 900, "c2"))
    memory.pass_over(tail_at(800, 900, "c2"), 900)
    assert not memory.observe(tail_at(800, 900, "c2"))  # the transcript comes late
    assert memory.observe(tail_at(950, 1_000, "c3"))


def test_a_compaction_too_far_back_to_be_seen_changes_nothing() -> None:
    memory = copied(NOTIFIED)
    assert memory.observe(tail_at(950, 1_000, ""))
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
def test_a_fall_outdates_earlier_messages(level: Level, answer: str, *, has_outdated: bool) -> None:
    memory = copied(NOTIFIED)
    memory.fall(level, answer)
    assert memory.has_outdated is has_outdated


def test_an_outdated_message_stays_outdated_until_it_is_retracted_once() -> None:
    memory = copied(NOTIFIED)
    assert not memory.claim_retraction()
    memory.fall(Level.NORMAL)
    memory.fall(Level.CRITICAL)
    assert [memory.claim_retraction(), memory.claim_retraction()] == [True, False]


@pytest.mark.parametrize(
    ("memory", "is_at_rest"),
    [
        (Memory(), True),
        (Memory(compaction="c1", offset=900, limits=FULL.limits, prompt=PromptMemory(800, 120_000)), True),
        (Memory(prompt=PromptMemory(tagged=1)), False),
        (Memory(has_outdated=True), False),
        (Memory(level=Reminder(1)), False),
        (Memory(level=Reminder(notified=1)), False),
        (Memory(pivot=Reminder(4)), False),
        (Memory(notification=Reminder(2)), False),
        (Memory(saved=SavedLevel(2)), False),
        (Memory(pending_bytes=20_000), False),
    ],
)
def test_a_memory_is_at_rest_if_nothing_has_to_be_forgotten(memory: Memory, *, is_at_rest: bool) -> None:
    assert memory.is_at_rest is is_at_rest


def test_a_tail_names_the_answer_that_called_the_current_tool() -> None:
    assert tail_at(300, 400, holds_tool_use=True).answer_in_hand == "msg_1@1000"
    assert tail_at(300, 400).answer_in_hand == ""


def test_after_a_compaction_there_may_be_no_answer_yet() -> None:
    memory = copied(NOTIFIED)
    assert memory.observe(msgspec.structs.replace(tail_at(0, 800, "c2"), answers=()))
    assert (memory.compaction, memory.offset) == ("c2", 0)


def test_a_transcript_whose_first_line_is_being_written_is_older_than_last_seen() -> None:
    memory = copied(NOTIFIED)
    assert not memory.observe(msgspec.structs.replace(NO_TAIL, size=1_000))
    assert memory == NOTIFIED


def test_without_a_transcript_no_reading_is_older() -> None:
    memory = copied(NOTIFIED)
    assert memory.observe(NO_TAIL)
    assert memory == msgspec.structs.replace(NOTIFIED, offset=0)
