"""One test per row of the measured thresholds, and per rule that takes precedence over the catalogue."""

from typing import Any

import pytest

from shared.client.client_settings import CompactionSettings
from shared.client.models import LONG, STANDARD
from shared.gauge.limit import IDLE_SECONDS, Limit, compaction_before_end, disproofs, limit_of, shows_limit
from shared.gauge.window import WindowSize, WindowSource

MODEL = "claude-opus-4-6"
LATER, EARLIER = "2.1.330", "2.1.197"
OFF = CompactionSettings(is_on=False)
SET = CompactionSettings(window=190_000)
PERCENT = "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE"

# Client, model, window, and where the client was seen to compact in it; None: when the API refuses.
MEASURED = (
    (LATER, "claude-opus-4-6", STANDARD, 167_000),
    (LATER, "claude-sonnet-4-6", STANDARD, 167_000),
    (LATER, "claude-opus-4-6[1m]", LONG, None),
    (LATER, "claude-opus-4-5", STANDARD, None),
    (LATER, "claude-sonnet-4-5", STANDARD, None),
    (LATER, "claude-sonnet-4-5[1m]", LONG, None),
    (LATER, "claude-haiku-4-5", STANDARD, None),
    (LATER, "claude-3-7-sonnet-20250219", STANDARD, None),
    (LATER, "claude-opus-4-7", LONG, 967_000),
    (LATER, "claude-opus-5-5", LONG, 967_000),
    (LATER, "claude-opus-5-5[1m]", LONG, 967_000),
    (LATER, "claude-opus-5-5", STANDARD, 167_000),  # with CLAUDE_CODE_DISABLE_1M_CONTEXT
    (LATER, "claude-sonnet-5", LONG, 967_000),
    (LATER, "claude-haiku-5-5", LONG, 967_000),
    (LATER, "claude-fable-5", STANDARD, 167_000),
    (LATER, "claude-mythos-1", LONG, 967_000),
    (EARLIER, "claude-opus-4-6", STANDARD, 167_000),
    (EARLIER, "claude-opus-4-6[1m]", LONG, None),
    (EARLIER, "claude-opus-5", STANDARD, None),
    (EARLIER, "claude-haiku-4-5", STANDARD, None),
)
UNCERTAIN = (
    (LATER, "some-gateway", LONG, 967_000),
    (LATER, "some-gateway", 128_000, 95_000),  # CLAUDE_CODE_MAX_CONTEXT_TOKENS
    (LATER, "some-gateway[1m]", LONG, None),
    (LATER, "some-gateway", STANDARD, 167_000),
    (EARLIER, "some-gateway", STANDARD, None),
    (EARLIER, "claude-sonnet-5", LONG, 934_000),
    (EARLIER, "claude-sonnet-5", STANDARD, 167_000),
    (EARLIER, "claude-opus-4-8", LONG, None),
    (EARLIER, "claude-opus-4-8", STANDARD, None),
)


def limit(
    model: str = MODEL, size: int | None = STANDARD, source: WindowSource = WindowSource.BRIDGE, **changes: Any
) -> Limit | None:
    facts: dict[str, Any] = {"environ": {}, "version": LATER} | changes
    return limit_of(model, WindowSize(size, source), **facts)


@pytest.mark.parametrize(("client", "model", "size", "at"), MEASURED)
def test_a_catalogued_model_ends_at_its_measured_point(client: str, model: str, size: int, at: int | None) -> None:
    assert limit(model, size, version=client) == Limit(at or size, "catalogue", is_compacted=True)


@pytest.mark.parametrize(("client", "model", "size", "at"), UNCERTAIN)
def test_uncertain_catalogue_entries_are_assumed(client: str, model: str, size: int, at: int | None) -> None:
    assert limit(model, size, version=client) == Limit(at or size, "assumed", is_compacted=True)


def test_a_window_of_unknown_size_has_no_known_limit() -> None:
    assert limit(size=None, source=WindowSource.UNKNOWN) is None


@pytest.mark.parametrize("source", [source for source in WindowSource if source.certainty == "assumed"])
@pytest.mark.parametrize("facts", [{}, {"settings": CompactionSettings(window=150_000)}, {"settings": OFF}])
def test_the_limit_of_an_assumed_window_is_assumed(source: WindowSource, facts: dict[str, Any]) -> None:
    result = limit(source=source, **facts)
    assert result is not None
    assert result.certainty == "assumed"


@pytest.mark.parametrize(
    ("size", "set_to", "at"),
    [
        (STANDARD, 150_000, 117_000),
        (STANDARD, 900_000, 167_000),
        (LONG, 400_000, 367_000),  # the server's value for opus-4-8, measured
        (STANDARD, 33_001, 1),
    ],
)
def test_a_configured_window_overrides_everything(size: int, set_to: int, at: int) -> None:
    result = limit(size=size, settings=CompactionSettings(window=set_to), learnt=100_000)
    assert result == Limit(at, "set", is_compacted=True)


def test_a_window_too_small_to_compact_in_is_ignored() -> None:
    assert limit(settings=CompactionSettings(window=33_000)) == limit()


@pytest.mark.parametrize(
    ("environ", "settings", "at"),
    [
        ({PERCENT: "50"}, CompactionSettings(), 90_000),  # measured
        ({PERCENT: "50"}, CompactionSettings(window=150_000), 65_000),
        ({PERCENT: "100"}, CompactionSettings(), 167_000),
        ({PERCENT: "60%"}, CompactionSettings(), 108_000),  # measured, as are those below
        ({PERCENT: "60.9"}, CompactionSettings(), 109_620),
        ({PERCENT: "5e1"}, CompactionSettings(), 90_000),
        ({PERCENT: " 60 "}, CompactionSettings(), 108_000),
    ],
)
def test_a_percentage_moves_the_point_forward(environ: dict[str, str], settings: CompactionSettings, at: int) -> None:
    assert limit(environ=environ, settings=settings) == Limit(at, "set", is_compacted=True)


@pytest.mark.parametrize("text", ["", "0", "0.0", "-5", "half", ".", "%50"])
def test_an_invalid_percentage_is_ignored(text: str) -> None:
    assert limit(environ={PERCENT: text}) == limit()


def test_a_percentage_over_100_moves_nothing_forward() -> None:
    assert limit(environ={PERCENT: "101"}) == limit() == Limit(167_000, "catalogue", is_compacted=True)


def test_a_percentage_does_not_apply_to_a_model_without_automatic_compaction() -> None:
    assert limit("claude-sonnet-4-5", environ={PERCENT: "50"}) == limit("claude-sonnet-4-5")


def test_a_model_that_may_answer_less_needs_less_room_for_its_summary() -> None:
    less, more = ({"CLAUDE_CODE_MAX_OUTPUT_TOKENS": text} for text in ("8000", "64000"))
    assert limit(environ=less) == Limit(179_000, "catalogue", is_compacted=True)
    assert limit(environ=more) == limit()


@pytest.mark.parametrize("text", ["8000.5", "8e3", " 8000 ", "8000x", "+8000"])
def test_a_variables_leading_number_counts(text: str) -> None:
    """Measured on 2.1.330; 2.1.197 reads `8e3` as 8."""
    assert limit(environ={"CLAUDE_CODE_MAX_OUTPUT_TOKENS": text}) == Limit(179_000, "catalogue", is_compacted=True)


@pytest.mark.parametrize("size", [STANDARD, LONG])
def test_with_compaction_off_the_session_ends_before_the_window(size: int) -> None:
    result = limit(size=size, settings=OFF, learnt=100_000, environ={PERCENT: "50"})
    assert result == Limit(size - 23_000, "set", is_compacted=False)


@pytest.mark.parametrize("model", [MODEL, "claude-sonnet-4-5", "some-gateway"])
def test_a_learnt_point_overrides_the_catalogue(model: str) -> None:
    assert limit(model, learnt=155_000) == Limit(155_000, "learnt", is_compacted=True)


def test_a_learnt_point_holds_until_the_client_continues_past_it() -> None:
    assert limit(learnt=155_000, passed=155_000) == Limit(155_000, "learnt", is_compacted=True)
    assert limit(learnt=155_000, passed=155_001) == limit()


def test_a_compaction_after_the_catalogued_point_does_not_disprove_it() -> None:
    # one large result carried the window from below 167,000 to 190,000: EXHAUSTED at 185,000 would never be reached
    assert limit(learnt=190_000) == limit(learnt=167_001) == limit()
    assert limit("claude-opus-4-5", learnt=175_000) == Limit(175_000, "learnt", is_compacted=True)
    # of what is only assumed neither, as a result that opens a session may be as large
    assert limit("some-gateway", learnt=190_000) == limit("some-gateway")
    assert limit("claude-sonnet-5", learnt=195_628, version="2.1.197") == limit("claude-sonnet-5", version="2.1.197")


@pytest.mark.parametrize("model", [MODEL, "some-gateway"])
def test_a_compaction_after_a_passed_point_counts(model: str) -> None:
    assert limit(model, learnt=190_000, tokens=172_000, passed=168_000) == Limit(190_000, "learnt", is_compacted=True)


def test_a_compaction_at_the_catalogued_point_confirms_it() -> None:
    assert limit(learnt=167_000) == Limit(167_000, "learnt", is_compacted=True)


def test_a_point_learnt_in_a_larger_window_does_not_apply() -> None:
    assert limit(learnt=200_001) == limit()
    assert limit("some-gateway", size=LONG, learnt=967_000) == Limit(967_000, "learnt", is_compacted=True)
    assert limit("some-gateway", size=LONG, learnt=1_000_001) == limit("some-gateway", size=LONG)


def test_a_compaction_near_a_full_window_may_be_for_a_refused_request() -> None:
    assert limit("claude-opus-4-5", learnt=175_001) == limit("claude-opus-4-5", learnt=190_287)
    assert limit("claude-opus-4-5", learnt=190_287) == limit("claude-opus-4-5")


def test_a_window_smaller_than_what_the_client_keeps_free_ends_at_once() -> None:
    assert limit(size=20_000, settings=OFF) == Limit(0, "set", is_compacted=False)


@pytest.mark.parametrize(
    ("result", "at"),
    [
        (Limit(167_000, "catalogue", is_compacted=True), 167_000),
        (Limit(STANDARD, "catalogue", is_compacted=True), None),
        (Limit(177_000, "set", is_compacted=False), None),
        (None, None),
    ],
)
def test_a_compaction_is_ahead_only_if_the_client_compacts_before_the_end(result: Limit | None, at: int | None) -> None:
    assert compaction_before_end(result, STANDARD) == at


@pytest.mark.parametrize("tokens", [160_000, 167_000, 168_500])
@pytest.mark.parametrize(
    "fields", [{}, {"learnt": 165_000}, {"learnt": 170_000}, {"settings": SET}, {"source": WindowSource.DEFAULT}]
)
def test_a_limit_holds_until_it_is_disproved(tokens: int, fields: dict[str, Any]) -> None:
    """Between two disproofs the same limit holds, as long as the launcher doesn't start us."""
    result = limit(passed=tokens, tokens=tokens, **fields)
    (until, *_) = [at for at in disproofs(result, STANDARD) if at > tokens]
    assert limit(passed=until - 1, tokens=until - 1, **fields) == result


@pytest.mark.parametrize(
    ("passed", "tokens", "result"),
    [
        (167_000, 185_000, Limit(167_000, "catalogue", is_compacted=True)),  # by one result
        (168_900, 169_000, Limit(167_000, "catalogue", is_compacted=True)),
        (167_001, 169_001, Limit(177_000, "assumed", is_compacted=False)),
        (175_000, 176_999, Limit(177_000, "assumed", is_compacted=False)),
        (177_000, 180_000, Limit(177_000, "assumed", is_compacted=False)),  # where it refuses to go on
        (177_001, 180_000, Limit(STANDARD, "assumed", is_compacted=True)),
    ],
)
def test_a_point_the_client_continued_past_is_no_limit(passed: int, tokens: int, result: Limit) -> None:
    assert limit(passed=passed, tokens=tokens) == result


def test_a_passed_configured_point_was_set_after_the_clients_start() -> None:
    """The client compacts for the window that it was started with (docs/client.md, "The threshold's rule")."""
    result = limit(settings=CompactionSettings(window=150_000), passed=117_001, tokens=119_001)
    assert result == Limit(167_000, "catalogue", is_compacted=True)
    until = Limit(117_000, "set", is_compacted=True)
    assert limit(settings=CompactionSettings(window=150_000), passed=117_001, tokens=119_000) == until
    assert disproofs(until, STANDARD) == (119_001, STANDARD + 1)


def test_a_reading_beyond_the_window_disproves_its_size() -> None:
    assert disproofs(Limit(STANDARD, "assumed", is_compacted=True), STANDARD) == (STANDARD + 1,)
    assert disproofs(None, STANDARD) == (STANDARD + 1,)


@pytest.mark.parametrize(
    ("trigger", "compacted_at", "answered_at", "is_taught"),
    [
        ("auto", "2026-11-21T10:00:00.000Z", "2026-11-21T10:00:00.000Z", True),
        ("auto", "2026-11-21T10:02:57.000Z", "2026-11-21T10:00:00.000Z", True),
        ("auto", "2026-11-21T10:03:00.000Z", "2026-11-21T10:00:00.000Z", True),
        ("auto", "2026-11-21T10:03:00.001Z", "2026-11-21T10:00:00.000Z", False),
        ("auto", "2026-11-21T10:54:00.000Z", "2026-11-21T10:00:00.000Z", False),
        ("auto", "2026-11-21T09:59:59.999Z", "2026-11-21T10:00:00.000Z", False),
        ("manual", "2026-11-21T10:00:30.000Z", "2026-11-21T10:00:00.000Z", False),
        ("", "2026-11-21T10:00:30.000Z", "2026-11-21T10:00:00.000Z", False),
        ("auto", "2026-11-21T10:00:30.000Z", "", False),
        ("auto", "", "2026-11-21T10:00:00.000Z", False),
        ("auto", "2026-11-21T10:00:30.000", "2026-11-21T10:00:00.000Z", True),
    ],
)
def test_only_an_automatic_compaction_of_a_session_at_work_teaches(
    trigger: str, compacted_at: str, answered_at: str, *, is_taught: bool
) -> None:
    """After 54 idle minutes the client compacts a window of any fill, and says `auto` too."""
    assert IDLE_SECONDS == 180
    assert shows_limit(trigger, compacted_at, answered_at) is is_taught
