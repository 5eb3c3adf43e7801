from typing import Any

import pytest

from shared.transcript.branch import ANSWERS
from tests.transcripts import Transcript, tail_of


def test_usage_is_input_and_both_kinds_of_cache(transcript: Transcript) -> None:
    transcript.answer(0, usage={"input_tokens": 5, "cache_creation_input_tokens": 70, "cache_read_input_tokens": 900})
    newest = tail_of(transcript).answers[0]
    assert (newest.tokens, newest.output) == (975, 120)


@pytest.mark.parametrize("absent", [..., None])
def test_absent_cache_fields_are_zero(transcript: Transcript, absent: object) -> None:
    usage = {"input_tokens": 50, "cache_creation_input_tokens": absent, "cache_read_input_tokens": absent}
    transcript.answer(0, usage=usage | {"cache_creation": ..., "iterations": ..., "output_tokens": absent})
    newest = tail_of(transcript).answers[0]
    assert (newest.tokens, newest.output) == (50, 0)


def test_usage_may_report_only_the_split_of_the_cache(transcript: Transcript) -> None:
    split = {"ephemeral_5m_input_tokens": 300, "ephemeral_1h_input_tokens": 40}
    transcript.answer(1_000, usage={"cache_creation_input_tokens": 0, "cache_creation": split})
    assert tail_of(transcript).tokens == 1_340


def test_the_split_adds_nothing_to_the_reported_sum(transcript: Transcript) -> None:
    split = {"ephemeral_5m_input_tokens": 300, "ephemeral_1h_input_tokens": 40}
    transcript.answer(1_000, usage={"cache_creation_input_tokens": 340, "cache_creation": split})
    assert tail_of(transcript).tokens == 1_340


def step(tokens: int, kind: str = "message") -> dict[str, Any]:
    return {"type": kind, "input_tokens": tokens, "cache_read_input_tokens": 0, "output_tokens": 7}


@pytest.mark.parametrize(
    ("iterations", "tokens"),
    [
        ([step(60_000), step(70_000)], 70_000),  # the top level sums several requests; the window held the last
        ([step(60_000), step(70_000), step(5, "advisor_message")], 70_000),
        ([step(60_000), step(5, "advisor_message")], 130_000),
        ([step(130_000)], 130_000),
        ([], 130_000),
        (None, 130_000),
        ("several", 130_000),
        ([1, 2], 130_000),
    ],
)
def test_an_answer_of_several_requests_counts_by_its_last(
    transcript: Transcript, iterations: object, tokens: int
) -> None:
    transcript.answer(130_000, usage={"iterations": iterations})
    assert tail_of(transcript).tokens == tokens


NOT_ANSWERS: dict[str, dict[str, Any]] = {
    "sidechain": {"tokens": 190_000, "sidechain": True},
    "error": {"tokens": 190_000, "error": True},
    "synthetic": {"tokens": 190_000, "model": "<synthetic>"},
    "all zero": {"tokens": 0},
    "text for a number": {"tokens": 190_000, "usage": {"input_tokens": "190000"}},
    "fraction": {"tokens": 190_000, "usage": {"input_tokens": 1.5}},
    "boolean": {"tokens": 190_000, "usage": {"input_tokens": True}},
    "null": {"tokens": 190_000, "usage": {"input_tokens": None}},
    "list": {"tokens": 190_000, "usage": {"cache_read_input_tokens": [1]}},
    "another type": {"tokens": 190_000, "top": {"type": "progress"}},
    "no type": {"tokens": 190_000, "top": {"type": ...}},
}


@pytest.mark.parametrize("arguments", NOT_ANSWERS.values(), ids=NOT_ANSWERS.keys())
def test_other_lines_than_real_answers_are_skipped(transcript: Transcript, arguments: dict[str, Any]) -> None:
    transcript.answer(42_000, id="msg_real")
    transcript.answer(**arguments)
    assert [answer.id for answer in tail_of(transcript).answers] == ["msg_real@42000"]


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"   ",
        b"\r",
        b"null",
        b"42",
        b"[]",
        b'["usage"]',
        b'"usage"',
        b'{"usage": 1',
        b'{"type":"assistant","message":"usage","usage":{"input_tokens":9}}',
        b'{"type":"assistant","message":{"usage":null}}',
        b'{"type":"assistant","message":{"usage":{"input_tokens":1e999}}}',
        b'{"type":"assistant","note":"usage"}',
        b'{"type":"assistant","message":{"usage":9}}',
        b'{"type":"assistant","message":{"content":[{"usage":{"input_tokens":9}}]}}',
        b'\xff\xfe"usage"',
        b'{"type":"assistant","message":{"id":"\xff","usage":{"input_tokens":9}}}',
        b"[" * 100_000 + b'"usage"',
    ],
)
def test_a_line_no_client_writes_is_skipped(transcript: Transcript, line: bytes) -> None:
    transcript.answer(42_000)
    transcript.write(line + b"\n")
    assert tail_of(transcript).tokens == 42_000


def test_a_synthetic_answer_after_an_interruption_is_skipped(transcript: Transcript) -> None:
    transcript.answer(42_000)
    transcript.synthetic()
    assert tail_of(transcript).tokens == 42_000


def test_words_in_the_conversation_are_not_read_as_numbers(transcript: Transcript) -> None:
    transcript.answer(42_000)
    transcript.prompt('{"type":"assistant","message":{"usage":{"input_tokens":190000}}}')
    transcript.result(text='{"type":"system","subtype":"compact_boundary","compactMetadata":{"postTokens":5}}')
    assert tail_of(transcript).tokens == 42_000
    assert tail_of(transcript).compaction is None


def test_the_lines_of_one_answer_are_one_answer(transcript: Transcript) -> None:
    transcript.answer(30_000, id="msg_a")
    transcript.answer(42_000, id="msg_b", tool_use_ids=("toolu_1", "toolu_2", "toolu_3"))
    calls = [(answer.id, len(answer.calls)) for answer in tail_of(transcript).answers]
    assert calls == [("msg_b@42000", 3), ("msg_a@30000", 1)]


def test_the_last_line_of_an_answer_counts(transcript: Transcript) -> None:
    transcript.answer(42_000, id="msg_a", output=1)
    transcript.answer(42_000, id="msg_a", output=700)
    assert tail_of(transcript).answers[0].output == 700


def test_results_may_come_between_the_lines_of_one_answer(transcript: Transcript) -> None:
    transcript.answer(42_000, id="msg_a", tool_use_ids=("toolu_1",))
    transcript.result("toolu_1")
    transcript.answer(42_000, id="msg_a", tool_use_ids=("toolu_2",))
    assert [len(answer.calls) for answer in tail_of(transcript).answers] == [2]


def test_the_newest_answers_are_kept_for_the_forecast(transcript: Transcript) -> None:
    for turn in range(20):
        transcript.answer(10_000 + turn)
    answers = tail_of(transcript).answers
    assert [answer.tokens for answer in answers] == [10_000 + turn for turn in range(19, 19 - ANSWERS, -1)]


def test_the_oldest_of_the_kept_answers_has_all_its_lines(transcript: Transcript) -> None:
    for turn in range(12):
        transcript.answer(10_000 + turn, tool_use_ids=("toolu_1", "toolu_2", "toolu_3"))
    assert [len(answer.calls) for answer in tail_of(transcript).answers] == [3] * ANSWERS


def test_an_answer_has_its_time(transcript: Transcript) -> None:
    transcript.answer(42_000, at=1_767_225_600.25)
    assert tail_of(transcript).answers[0].timestamp == "2026-01-01T00:00:00.250Z"


def test_the_tail_tells_whether_it_holds_the_tool_use(transcript: Transcript) -> None:
    transcript.answer(42_000, tool_use_ids=("toolu_1", "toolu_12"))
    transcript.result("toolu_1")
    assert tail_of(transcript, "toolu_1").holds_tool_use
    assert tail_of(transcript, "toolu_12").holds_tool_use
    assert not tail_of(transcript, "toolu_2").holds_tool_use
    assert not tail_of(transcript, "toolu").holds_tool_use
    assert not tail_of(transcript).holds_tool_use


def test_a_result_alone_does_not_count_as_the_calling_answer(transcript: Transcript) -> None:
    transcript.answer(42_000, tool_use_ids=("toolu_1",))
    transcript.result("toolu_2")
    assert not tail_of(transcript, "toolu_2").holds_tool_use


def test_the_tool_use_of_an_earlier_line_of_the_answer_is_found(transcript: Transcript) -> None:
    transcript.answer(42_000, id="msg_a", tool_use_ids=("toolu_1", "toolu_2"))
    transcript.answer(42_000, id="msg_a", tool_use_ids=(), text="and a word")
    assert tail_of(transcript, "toolu_1").holds_tool_use
