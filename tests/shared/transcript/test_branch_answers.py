"""What a branch yields line by line, and what is still being searched for."""

from collections.abc import Callable

import pytest

from shared.transcript.branch import ANSWERS, HISTORY_BYTES, REWIND_BYTES, Branch, BranchAnswers
from shared.transcript.line import line_in
from shared.transcript.records import answer_in, compaction_in
from tests import processor_time
from tests.transcripts import Transcript, tail_of

MISSING = "11111111-2222-4333-8444-555555555555"
FAR = 100 << 20
"""A file so long before the lines that no bound lies before its beginning."""


def gather(transcript: Transcript) -> tuple[BranchAnswers, Branch]:
    """Gather all lines of a transcript, last first, as if at the end of a long file."""
    branch = Branch(is_subagent=False)
    answers, offset = BranchAnswers(branch), FAR + transcript.size
    for data in reversed(transcript.path.read_bytes().splitlines()):
        offset -= len(data) + 1
        is_on_branch, line = branch.holds(offset, data), line_in(data)
        assert line is not None
        if record := answer_in(line, offset, is_subagent=False) or compaction_in(line, offset):
            answers.add(record, is_on_branch=is_on_branch)
    return answers, branch


def tokens(transcript: Transcript) -> list[int]:
    return [answer.tokens for answer in tail_of(transcript).answers]


def test_the_next_line_of_the_branch_is_searched_for(transcript: Transcript) -> None:
    transcript.prompt()
    prompt = transcript.newest
    transcript.answer(20_000)
    transcript.path.write_bytes(transcript.path.read_bytes().splitlines(keepends=True)[1])
    assert gather(transcript)[1].marker == f'"uuid":"{prompt}"'.encode()


def test_in_a_broken_tree_any_line_is_searched_for_again(transcript: Transcript) -> None:
    transcript.answer(20_000)
    transcript.answer(21_000)
    transcript.rewind(MISSING)
    transcript.result()
    answers, branch = gather(transcript)
    assert [answer.tokens for answer in answers.answers] == [21_000, 20_000]
    assert branch.marker == b'"uuid"'


def test_before_a_break_in_the_tree_the_branch_is_followed_again(transcript: Transcript) -> None:
    transcript.prompt()
    transcript.answer(20_000)
    lived = transcript.newest
    transcript.prompt()
    transcript.answer(90_000)
    transcript.rewind(lived)
    transcript.prompt("Again")
    for turn in range(3):
        transcript.answer(21_000 + turn)
    transcript.rewind(MISSING)
    transcript.result()
    assert tokens(transcript) == [21_002, 21_001, 21_000, 20_000]


def answered(transcript: Transcript) -> int:
    transcript.prompt()
    before = transcript.size
    transcript.answer(20_000)
    return before - HISTORY_BYTES


def compacted(transcript: Transcript) -> int:
    transcript.answer(169_000)
    before = transcript.size
    transcript.boundary()
    transcript.answer(20_000)
    return before - HISTORY_BYTES


def rewound(transcript: Transcript) -> int:
    transcript.answer(90_000)
    before = transcript.size
    transcript.rewind(MISSING)
    transcript.prompt("Again")
    return before - REWIND_BYTES


def without_its_call(transcript: Transcript) -> int:
    transcript.answer(90_000)
    before = transcript.size
    transcript.rewind(MISSING)
    transcript.result()
    return before - HISTORY_BYTES


@pytest.mark.parametrize("written", [answered, compacted, rewound, without_its_call])
def test_the_search_back_from_known_lines_is_bounded(
    transcript: Transcript, written: Callable[[Transcript], int]
) -> None:
    assert (HISTORY_BYTES, REWIND_BYTES) == (1 << 20, 16 << 20)
    until = FAR + written(transcript)
    answers, branch = gather(transcript)
    assert (answers.until or branch.until) == until


def test_before_anything_is_found_no_line_is_too_far_back(transcript: Transcript) -> None:
    transcript.prompt()
    assert gather(transcript)[0].until == 0


def test_the_newest_nine_answers_are_enough(transcript: Transcript) -> None:
    for turn in range(ANSWERS):
        transcript.answer(20_000 + turn)
    assert not gather(transcript)[0].is_complete
    transcript.answer(30_000)
    answers = gather(transcript)[0]
    assert answers.is_complete
    assert [answer.tokens for answer in answers.answers] == [30_000, *(20_008 - turn for turn in range(8))]


def test_a_rewind_to_right_after_the_first_prompt_leaves_no_answer(transcript: Transcript) -> None:
    transcript.prompt()
    first = transcript.newest
    transcript.answer(90_000)
    transcript.rewind(first)
    transcript.prompt("Again")
    assert tokens(transcript) == []


def test_a_call_whose_result_is_missing_counts_once(transcript: Transcript) -> None:
    transcript.prompt()
    transcript.answer(20_000, id="msg_a", tool_use_ids=("toolu_1",))
    transcript.answer(20_000, id="msg_a", tool_use_ids=("toolu_2",))
    second = transcript.newest
    transcript.answer(20_000, id="msg_a", tool_use_ids=("toolu_3",))
    transcript.rewind(second)
    transcript.result("toolu_2")
    assert [len(answer.calls) for answer in tail_of(transcript).answers] == [3]


def test_the_newer_of_two_adjacent_compactions_counts(transcript: Transcript) -> None:
    transcript.boundary(id="first")
    transcript.boundary(id="second")
    compaction = tail_of(transcript).compaction
    assert compaction is not None
    assert (compaction.id, compaction.answered_at) == ("second", "")


def test_answers_beside_a_rewind_cost_no_more_for_those_before(transcript: Transcript) -> None:
    transcript.answer(10_000)
    line = line_in(transcript.path.read_bytes())
    assert line is not None
    gathered = BranchAnswers(Branch(is_subagent=False))
    with processor_time.at_most(2):
        for number in range(20_000):
            answer = answer_in(line, number, is_subagent=False)
            assert answer is not None
            gathered.add(answer, is_on_branch=False)

    assert len(gathered.aside) == 20_000
