"""A transcript is a tree: lines on an abandoned branch don't count."""

import json
from collections.abc import Callable
from typing import BinaryIO, cast

import pytest

from shared.transcript import jsonl
from shared.transcript.branch import HISTORY_BYTES, Branch
from tests.transcripts import Transcript, compact, tail_of


def tokens(transcript: Transcript) -> list[int]:
    return [answer.tokens for answer in tail_of(transcript).answers]


def rewind_session(transcript: Transcript, filler: int = 0) -> None:
    """A session at 21,000 tokens that was filled up to 172,000 and then rewound."""
    transcript.prompt()
    transcript.answer(20_000)
    transcript.answer(21_000)
    lived = transcript.newest
    transcript.prompt("Try something else")
    transcript.answer(90_000)
    if filler:
        transcript.result(text="x" * filler)
    transcript.answer(172_000)
    transcript.rewind(lived)


def test_a_rewind_is_unknown_until_something_follows_it(transcript: Transcript) -> None:
    rewind_session(transcript)
    assert tokens(transcript)[0] == 172_000


def test_an_abandoned_branch_no_longer_counts(transcript: Transcript) -> None:
    rewind_session(transcript)
    transcript.prompt("Again")
    assert tokens(transcript) == [21_000, 20_000]
    transcript.answer(22_000)
    transcript.result()
    assert tokens(transcript) == [22_000, 21_000, 20_000]


@pytest.mark.parametrize("filler", [200_000, 3 << 20])
def test_a_long_branch_may_have_been_abandoned(transcript: Transcript, filler: int) -> None:
    rewind_session(transcript, filler)
    transcript.prompt("Again")
    assert tokens(transcript) == [21_000, 20_000]


def test_after_each_line_of_the_branch_the_search_for_the_next_starts_over(transcript: Transcript) -> None:
    """A result's parent is near, a prompt's may be far."""
    transcript.answer(20_000)
    transcript.grow(2 << 20)
    transcript.prompt()
    prompt = transcript.newest
    transcript.answer(90_000)
    transcript.rewind(prompt)
    transcript.result()
    assert tokens(transcript) == [20_000]


def test_a_rewind_to_the_first_prompt_leaves_nothing(transcript: Transcript) -> None:
    rewind_session(transcript)
    transcript.rewind(None)
    transcript.prompt("From the start")
    assert tokens(transcript) == []
    transcript.answer(18_000)
    assert tokens(transcript) == [18_000]


def test_a_rewind_to_before_a_compaction_abandons_it(transcript: Transcript) -> None:
    transcript.prompt()
    transcript.answer(150_000)
    lived = transcript.newest
    transcript.prompt()
    transcript.answer(166_000)
    transcript.boundary()
    transcript.prompt()
    transcript.answer(24_000)
    transcript.rewind(lived)
    transcript.prompt("Again")
    tail = tail_of(transcript)
    assert (tail.tokens, tail.compaction) == (150_000, None)


def test_an_answer_written_among_a_compactions_lines_comes_after_it(transcript: Transcript) -> None:
    """2.1.197 has been seen to write it before the summary, as a child of the last line before the boundary."""
    transcript.prompt()
    transcript.answer(166_000)
    transcript.result()
    before = transcript.newest
    boundary = transcript.boundary()
    transcript.rewind(before)
    transcript.answer(20_000, tool_use_ids=("toolu_after",))
    answered = transcript.newest
    transcript.rewind(boundary)
    transcript.summary("Work was done.")
    assert tokens(transcript) == [20_000]
    assert tail_of(transcript, "toolu_after").holds_tool_use

    transcript.rewind(answered)
    transcript.result("toolu_after")
    transcript.answer(21_000)
    transcript.prompt("Go on")
    tail = tail_of(transcript)
    assert tokens(transcript) == [21_000, 20_000]
    assert tail.compaction is not None
    assert tail.compaction.id == boundary


def test_parallel_results_have_different_lines_of_one_answer_as_parents(transcript: Transcript) -> None:
    transcript.prompt()
    transcript.answer(20_000)
    transcript.answer(30_000, id="msg_a", tool_use_ids=("toolu_1",))
    first = transcript.newest
    transcript.answer(30_000, id="msg_a", tool_use_ids=("toolu_2",))
    transcript.result("toolu_2")
    transcript.rewind(first)
    transcript.result("toolu_1")
    tail = tail_of(transcript, "toolu_2")
    assert [(answer.tokens, len(answer.calls)) for answer in tail.answers] == [(30_000, 2), (20_000, 1)]
    assert tail.holds_tool_use


def test_a_result_after_two_answers_is_no_rewind(transcript: Transcript) -> None:
    transcript.prompt()
    transcript.answer(20_000)
    first = transcript.newest
    transcript.answer(30_000)
    transcript.answer(40_000)
    transcript.rewind(first)
    transcript.result()
    assert tokens(transcript) == [40_000, 30_000, 20_000]


def test_a_subagents_line_in_the_same_file_does_not_begin_the_branch(transcript: Transcript) -> None:
    """Older clients keep both in one file."""
    transcript.prompt()
    transcript.answer(20_000)
    transcript.append({"parentUuid": None, "isSidechain": True, "type": "user", "uuid": "side"})
    assert tokens(transcript) == [20_000]


def rewrite_lines(transcript: Transcript, change: Callable[[dict[str, object]], object]) -> None:
    """Rewrite each line as `change` leaves it."""
    written = [json.loads(line) for line in transcript.path.read_bytes().splitlines()]
    transcript.path.write_bytes(b"")
    for line in written:
        change(line)
        transcript.append(line)


BROKEN: dict[str, Callable[[dict[str, object]], object]] = {
    "no parents": lambda line: line.pop("parentUuid", None),
    "no ids": lambda line: line.pop("uuid", None),
    "parents that aren't there": lambda line: line.update(parentUuid="11111111-2222-4333-8444-555555555555"),
    "one id for all": lambda line: line.update(uuid="11111111-2222-4333-8444-555555555555"),
    "ids of another type": lambda line: line.update(uuid=7, parentUuid=[8]),
}


@pytest.mark.parametrize("change", BROKEN.values(), ids=BROKEN)
def test_in_a_broken_tree_the_files_order_counts(
    transcript: Transcript, change: Callable[[dict[str, object]], object]
) -> None:
    transcript.prompt()
    for turn in range(4):
        transcript.answer(20_000 + turn)
        transcript.result()
    rewrite_lines(transcript, change)
    assert tokens(transcript) == [20_003, 20_002, 20_001, 20_000]


def test_older_clients_write_progress_lines_without_a_parent(transcript: Transcript) -> None:
    transcript.prompt()
    transcript.answer(20_000)
    transcript.append({"parentUuid": None, "isSidechain": False, "type": "progress", "uuid": "p1"})
    transcript.rewind("p1")
    transcript.result()
    transcript.append({"parentUuid": None, "isSidechain": False, "type": "progress", "uuid": "p2"})
    assert tokens(transcript) == [20_000]


def test_a_missing_history_is_not_searched_for(transcript: Transcript, monkeypatch: pytest.MonkeyPatch) -> None:
    """This holds whether or not a line in between is relevant: one of 400 MB isn't."""
    counts: list[int] = []
    backwards = jsonl.backwards

    class Counting:
        def __init__(self, file: BinaryIO) -> None:
            self._file, self.seek = file, file.seek

        def read(self, size: int = -1, /) -> bytes:
            data = self._file.read(size)
            counts.append(len(data))
            return data

    monkeypatch.setattr(
        jsonl, "backwards", lambda file, size, scope: backwards(cast("BinaryIO", Counting(file)), size, scope)
    )
    transcript.answer(10_000)
    transcript.grow(400 << 20)
    transcript.boundary()
    transcript.prompt()
    for turn in range(3):
        transcript.answer(20_000 + turn)
    assert tokens(transcript) == [20_002, 20_001, 20_000]
    assert sum(counts) <= HISTORY_BYTES + 2 * jsonl.LONGEST


def test_before_a_prompt_with_a_missing_parent_the_files_order_counts(transcript: Transcript) -> None:
    transcript.answer(20_000)
    transcript.answer(21_000)
    transcript.rewind("11111111-2222-4333-8444-555555555555")
    transcript.prompt("Go on")
    assert tokens(transcript) == [21_000, 20_000]


def tree_line(uuid: str, parent: str | None, kind: str = "assistant", **fields: object) -> bytes:
    return compact({"parentUuid": parent, "type": kind, "uuid": uuid} | fields)


def membership(*written: bytes) -> tuple[list[bool], Branch]:
    """Which of a file's lines are on its branch, and the branch once all are read, first line last."""
    branch = Branch(is_subagent=False)
    return [branch.holds(0, data) for data in reversed(written)][::-1], branch


PROMPT, ANSWER, RESULT = tree_line("a", None, "user"), tree_line("b", "a"), tree_line("c", "b", "user", tool_result=1)


def test_a_branch_is_complete_at_the_prompt_without_a_parent() -> None:
    earlier = tree_line("before", None, "user")
    on_branch, branch = membership(earlier, PROMPT, ANSWER, RESULT)
    assert on_branch == [False, True, True, True]
    assert branch.is_whole


@pytest.mark.parametrize(
    "aside",
    [
        b'{"type":"summary","uuid":"b"}',  # names the line, but not as the client places one in its tree
        b'{"type":"api-request"}',
        tree_line("x", "a"),
    ],
)
def test_only_the_next_lines_parent_is_on_the_branch(aside: bytes) -> None:
    assert membership(PROMPT, ANSWER, aside, RESULT)[0] == [True, True, False, True]


@pytest.mark.parametrize(
    "newest",
    [tree_line("p", None, "progress"), tree_line("s", "c", isSidechain=True), tree_line("t", "c", "queue")],
)
def test_a_branch_does_not_begin_with_a_line_no_conversation_continues_from(newest: bytes) -> None:
    assert membership(PROMPT, ANSWER, RESULT, newest)[0] == [True, True, True, False]


def test_before_a_line_that_lost_its_parent_the_branch_continues_with_the_previous_line() -> None:
    orphan = tree_line("d", None, "system")
    on_branch, branch = membership(PROMPT, ANSWER, RESULT, orphan, tree_line("e", "d"))
    assert on_branch == [True] * 5
    assert branch.is_whole
