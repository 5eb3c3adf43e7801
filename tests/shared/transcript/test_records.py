import json
from typing import Any

import pytest

from shared.files import lenient
from shared.transcript.line import ReportedUsage, TranscriptLine, TranscriptMessage
from shared.transcript.records import Usage, compaction_in, request_in, tokens_in, usage_in
from shared.transcript.tail import read_tail
from tests.transcripts import NEW_CLIENT, Transcript, tail_of


def test_usage_before_a_compaction_is_not_used(transcript: Transcript) -> None:
    transcript.answer(169_000)
    transcript.boundary(169_124, 3_227, id="compaction-1")
    tail = tail_of(transcript)
    assert (tail.tokens, tail.answers) == (None, ())
    assert tail.compaction is not None
    assert (tail.compaction.id, tail.compaction.trigger) == ("compaction-1", "auto")
    assert (tail.compaction.before, tail.compaction.after) == (169_124, 3_227)


def test_a_compaction_without_token_counts_leaves_them_unknown(transcript: Transcript) -> None:
    transcript.answer(169_000)
    transcript.boundary(after=None)
    assert tail_of(transcript).tokens is None


def test_an_answer_after_a_compaction_counts(transcript: Transcript) -> None:
    transcript.answer(169_000)
    transcript.boundary()
    transcript.answer(24_000)
    tail = tail_of(transcript)
    assert (tail.tokens, len(tail.answers)) == (24_000, 1)
    assert tail.compaction is not None


def test_a_compaction_has_the_time_of_the_last_answer_before_it(transcript: Transcript) -> None:
    transcript.answer(160_000, at=1_767_225_600)
    transcript.answer(169_000, at=1_767_225_660)
    transcript.result(text='{"usage":"none"}')
    transcript.boundary(at=1_767_225_700)
    transcript.answer(24_000)
    compaction = tail_of(transcript).compaction
    assert compaction is not None
    assert (compaction.answered_at, compaction.timestamp) == ("2026-01-01T00:01:00.000Z", "2026-01-01T00:01:40.000Z")


def test_without_an_answer_before_it_a_compaction_has_no_such_time(transcript: Transcript) -> None:
    transcript.boundary()
    compaction = tail_of(transcript).compaction
    assert compaction is not None
    assert compaction.answered_at == ""


def test_an_answer_names_the_client_that_wrote_it(transcript: Transcript) -> None:
    transcript.answer(24_000)
    transcript.answer(25_000, top={"version": 5})
    assert [answer.client for answer in tail_of(transcript).answers] == ["", NEW_CLIENT]


def test_the_newest_of_several_compactions_counts(transcript: Transcript) -> None:
    transcript.boundary(id="first")
    transcript.answer(27_000)
    transcript.boundary(27_053, 827, trigger="manual", id="second")
    compaction = tail_of(transcript).compaction
    assert compaction is not None
    assert (compaction.id, compaction.trigger) == ("second", "manual")


@pytest.mark.parametrize("metadata", [..., None, {}, {"trigger": "auto"}])
def test_a_boundary_without_numbers_still_counts(transcript: Transcript, metadata: object) -> None:
    transcript.answer(169_000)
    line: dict[str, Any] = {"type": "system", "subtype": "compact_boundary", "compactMetadata": metadata, "uuid": "c"}
    transcript.append({name: value for name, value in line.items() if value is not ...})
    tail = tail_of(transcript)
    assert tail.tokens is None
    assert tail.compaction is not None


def test_a_subagents_compaction_is_not_its_sessions(transcript: Transcript) -> None:
    transcript.answer(42_000)
    transcript.append({"type": "system", "subtype": "compact_boundary", "isSidechain": True, "uuid": "c"})
    assert tail_of(transcript).tokens == 42_000


def test_a_transcript_is_a_sessions_by_default(transcript: Transcript) -> None:
    own = transcript.subagent("a1")
    own.answer(42_000)
    tail = read_tail(str(own.path))
    assert tail is not None
    assert tail.tokens is None
    assert compaction_in(TranscriptLine(type="system", subtype="compact_boundary", isSidechain=True)) is None


def test_a_subagents_own_compaction_counts_for_it(transcript: Transcript) -> None:
    own = transcript.subagent("a1")
    own.answer(169_000)
    own.boundary(after=2_000)
    tail = tail_of(own, is_subagent=True)
    assert tail.tokens is None
    assert tail.compaction is not None


@pytest.mark.parametrize("is_long", [True, False])
def test_the_newest_request_indicates_a_long_window(transcript: Transcript, *, is_long: bool) -> None:
    transcript.request(is_long=not is_long)
    transcript.answer(10_000)
    transcript.request(is_long=is_long)
    transcript.answer(20_000)
    assert tail_of(transcript).is_long is is_long


def test_a_request_after_the_answer_counts(transcript: Transcript) -> None:
    transcript.answer(20_000)
    transcript.request(is_long=True)
    assert tail_of(transcript).is_long is True


def test_a_request_of_another_model_does_not_determine_this_ones_window(transcript: Transcript) -> None:
    transcript.request(is_long=True)
    transcript.request(model="claude-haiku-4-5")
    transcript.answer(20_000)
    assert tail_of(transcript).is_long is True


def test_a_request_of_another_model_after_the_answer_does_not_count_either(transcript: Transcript) -> None:
    transcript.request(is_long=True)
    transcript.answer(20_000)
    transcript.request(model="claude-haiku-4-5")
    assert tail_of(transcript).is_long is True


def test_a_request_is_found_before_the_long_line_of_its_shape(transcript: Transcript) -> None:
    transcript.request(is_long=True)
    transcript.shape()
    transcript.answer(20_000)
    transcript.shape()
    assert tail_of(transcript).is_long is True


@pytest.mark.parametrize("parameters", [None, {}, {"betas": None}, {"betas": [1]}, "betas"])
def test_a_request_without_betas_is_ignored(transcript: Transcript, parameters: object) -> None:
    transcript.answer(20_000)
    transcript.append({"type": "api-request", "params": parameters})
    assert tail_of(transcript).tokens == 20_000
    assert tail_of(transcript).is_long is not True


@pytest.mark.parametrize(("tokens", "counted"), [(1, [1]), (0, []), (-5, []), (10**400, [])])
def test_an_answer_without_tokens_does_not_count(transcript: Transcript, tokens: int, counted: list[int]) -> None:
    usage = {"input_tokens": tokens, "cache_read_input_tokens": 0, "cache_creation_input_tokens": 0}
    transcript.answer(1, usage=usage)
    assert [answer.tokens for answer in tail_of(transcript).answers] == counted


@pytest.mark.parametrize(("usage", "tokens"), [(None, 0), ({"input_tokens": -5}, 0), ({"input_tokens": 7}, 7)])
def test_a_message_has_the_tokens_that_it_reports_and_never_fewer_than_none(usage: Any, tokens: int) -> None:
    assert tokens_in(lenient.record(json.dumps({"usage": usage}).encode(), TranscriptMessage)) == tokens


def test_unreported_counts_of_an_answer_are_zero() -> None:
    assert usage_in(ReportedUsage()) == Usage(0, 0, 0, 0)
    assert usage_in(ReportedUsage(input_tokens=1, cache_read_input_tokens=2, output_tokens=3)) == Usage(1, 0, 2, 3)


def test_a_later_countdown_gives_the_window_with_the_usage_at_that_point(transcript: Transcript) -> None:
    transcript.answer(60_000)
    transcript.reminder(140_000)
    transcript.answer(75_000)
    assert tail_of(transcript).countdown == 200_000


def test_a_countdown_after_a_compaction_gives_nothing_before_the_next_answer(transcript: Transcript) -> None:
    """Usage at that point is unknown."""
    transcript.answer(160_000)
    transcript.boundary()
    transcript.reminder(180_000)
    assert tail_of(transcript).countdown is None


@pytest.mark.parametrize(
    ("source", "is_conversation"),
    [("repl_main_thread", True), ("sdk", True), ("agent:custom", True), ("", True), ("generate_session_title", False)],
)
def test_a_title_request_is_not_part_of_the_conversation(source: str, *, is_conversation: bool) -> None:
    """Clients that don't record a request's purpose make no request beside it."""
    request = request_in(TranscriptLine(type="api-request", querySource=source))
    assert request is not None
    assert request.is_conversation is is_conversation
