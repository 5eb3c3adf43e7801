"""The client's records of a run beside its conversation, as read from the tail."""

import pytest

from shared.transcript.records import PADDED
from shared.transcript.tail import read_tail
from tests.transcripts import MODEL, START, Transcript, tail_of

LONG_MODEL = "claude-opus-4-6[1m]"


def test_the_newest_name_of_the_model_counts(transcript: Transcript) -> None:
    transcript.names_model(LONG_MODEL)
    transcript.answer(20_000)
    assert (tail_of(transcript).identity, tail_of(transcript).model) == (LONG_MODEL, "claude-opus-4-6")
    transcript.names_model("claude-sonnet-5")
    assert (tail_of(transcript).identity, tail_of(transcript).model) == ("claude-sonnet-5", "claude-sonnet-5")
    transcript.answer(20_000, model="claude-sonnet-5-20260101")
    assert tail_of(transcript).model == "claude-sonnet-5-20260101"


@pytest.mark.parametrize(
    "name", [LONG_MODEL, f"`{LONG_MODEL}`", f"opus[1m] ({LONG_MODEL})", f"`opus[1m] ({LONG_MODEL})`"]
)
def test_a_switch_by_an_agent_sdk_names_the_model(transcript: Transcript, name: str) -> None:
    """2.1.197 writes it without backticks, and names it nowhere else; a person's switch has a display name."""
    transcript.names_model("claude-sonnet-5")
    transcript.answer(20_000, model="claude-sonnet-5")
    transcript.prompt(f"<local-command-stdout>Set model to {name}</local-command-stdout>")
    transcript.prompt("<local-command-stdout>Set model to \x1b[1mSonnet 5\x1b[22m</local-command-stdout>")
    transcript.prompt("Set model to claude-haiku-4-5")
    assert (tail_of(transcript).identity, tail_of(transcript).model) == (LONG_MODEL, "claude-opus-4-6")


def test_an_earlier_runs_records_do_not_count_for_this_run(transcript: Transcript) -> None:
    transcript.names_model(LONG_MODEL)
    transcript.request(is_long=True)
    transcript.reminder(1_000_000)
    transcript.answer(20_000)
    then = START + 1_000
    transcript.answer(21_000, at=then + 5)
    before = read_tail(str(transcript.path), since=then)
    assert before is not None
    records = (before.identity, before.is_long, before.reminder, before.countdown)
    assert records == ("", None, None, None)
    assert before.tokens == 21_000
    transcript.request(at=then + 6)
    after = read_tail(str(transcript.path), since=then)
    assert after is not None
    assert after.is_long is False
    whole = tail_of(transcript)
    assert (whole.identity, whole.countdown) == (LONG_MODEL, 1_000_000)


def test_a_request_of_the_answers_model_takes_precedence_over_a_newer_one_of_another(transcript: Transcript) -> None:
    transcript.request(is_long=True)
    transcript.request(model="claude-sonnet-5")
    transcript.answer(20_000)
    assert tail_of(transcript).is_long is True


def test_once_the_model_is_named_its_own_request_is_still_searched_for(transcript: Transcript) -> None:
    transcript.request(is_long=True)
    transcript.request(model="claude-sonnet-5")
    transcript.answer(20_000)
    transcript.names_model(MODEL)
    assert tail_of(transcript).is_long is True


def test_a_record_from_exactly_the_runs_start_belongs_to_it(transcript: Transcript) -> None:
    transcript.names_model(LONG_MODEL, at=START + 5)
    for since, identity in ((START + 5, LONG_MODEL), (START + 5.01, "")):
        tail = read_tail(str(transcript.path), since=since)
        assert tail is not None
        assert tail.identity == identity


def test_the_largest_countdown_is_of_two_million_tokens(transcript: Transcript) -> None:
    transcript.reminder(2_000_000)
    assert tail_of(transcript).countdown == 2_000_000


@pytest.mark.parametrize("number", [None, 2_000_001, 15_000_000])
def test_a_padded_reminder_does_not_determine_the_window(transcript: Transcript, number: int | None) -> None:
    transcript.reminder(number)
    tail = tail_of(transcript)
    assert (tail.reminder, tail.countdown) == (PADDED, None)


@pytest.mark.parametrize("size", [128_000, 200_000, 1_000_000])
def test_the_first_value_of_a_countdown_is_the_window(transcript: Transcript, size: int) -> None:
    transcript.prompt()
    transcript.reminder(size)
    assert tail_of(transcript).countdown == size


@pytest.mark.parametrize(
    ("used", "number", "size"),
    [
        (30_000, 970_000, 1_000_000),
        (850_000, 148_500, 1_000_000),
        (30_000, 169_000, 200_000),
        (190_000, 9_000, 200_000),
        (100_000, 400_000, None),
        (100_000, 875_000, 1_000_000),  # just what else may lie in the window: 25,000 tokens
        (100_000, 874_999, None),
        (100_000, 125_000, 200_000),
        (100_000, 125_001, None),
    ],
)
def test_a_later_value_of_a_countdown_is_the_rest(
    transcript: Transcript, used: int, number: int, size: int | None
) -> None:
    transcript.answer(used)
    transcript.result()
    transcript.reminder(number)
    transcript.answer(used + 2_000)
    assert tail_of(transcript).countdown == size


def test_after_a_compaction_a_countdown_is_ambiguous(transcript: Transcript) -> None:
    transcript.answer(167_000)
    transcript.boundary()
    transcript.reminder(176_000)
    transcript.answer(24_000)
    tail = tail_of(transcript)
    assert (tail.reminder, tail.countdown) == (176_000, None)


@pytest.mark.parametrize("text", ["", "none", "<total_tokens>plenty left</total_tokens>", "<total_tokens>"])
def test_a_reminder_with_other_wording_does_not_count(transcript: Transcript, text: str) -> None:
    transcript.attachment(type="total_tokens_reminder", text=text)
    assert tail_of(transcript).reminder == PADDED


def test_an_attachment_of_another_shape_is_lost_alone(transcript: Transcript) -> None:
    transcript.answer(20_000)
    for fields in ({"identity": 7}, {"identity": {"modelId": 7}}, {}):
        transcript.attachment(type="model", **fields)
    tail = tail_of(transcript)
    assert (tail.tokens, tail.identity) == (20_000, "")
