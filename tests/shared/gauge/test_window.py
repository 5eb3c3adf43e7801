"""One test per source, per row of the measured tables, and per configuration that was once wrong."""

from typing import Any

import pytest

from shared.client.models import LONG, STANDARD
from shared.gauge.window import LARGEST, WindowFacts, WindowSize, WindowSource, resolve

MODEL = "claude-opus-4-6"
LATER, EARLIER = "2.1.330", "2.1.197"
DISABLED = {"CLAUDE_CODE_DISABLE_1M_CONTEXT": "1"}
SOURCES: tuple[tuple[dict[str, Any], WindowSize], ...] = (
    ({"configured_models": {MODEL: 510_000}}, WindowSize(510_000, WindowSource.CONFIG)),
    ({"configured": 500_000}, WindowSize(500_000, WindowSource.CONFIG)),
    ({"reported": 300_000, "reported_model": MODEL}, WindowSize(300_000, WindowSource.BRIDGE)),
    ({"is_long": True}, WindowSize(LONG, WindowSource.REQUEST)),
    ({"identity": f"{MODEL}[1m]"}, WindowSize(LONG, WindowSource.MODEL)),
    ({"countdown": 350_000}, WindowSize(350_000, WindowSource.COUNTDOWN)),
    ({"asked_model": f"{MODEL}[1m]"}, WindowSize(LONG, WindowSource.MODEL)),
    ({"remembered": 400_000}, WindowSize(400_000, WindowSource.LEARNED)),
    ({}, WindowSize(STANDARD, WindowSource.DEFAULT)),
)
"""What is known, the most trusted first, and what it makes of the window."""


def size_of(
    model: str = MODEL, tokens: int = 1_000, environ: dict[str, str] | None = None, **changes: Any
) -> WindowSize:
    return resolve(WindowFacts(tokens, model, environ or {}, **({"client": LATER} | changes)))


@pytest.mark.parametrize("number", range(len(SOURCES)))
def test_the_first_valid_source_is_believed(number: int) -> None:
    facts: dict[str, Any] = {}
    for source, _ in reversed(SOURCES[number:]):
        facts |= source
    assert size_of(**facts) == SOURCES[number][1]


@pytest.mark.parametrize("number", range(len(SOURCES)))
def test_a_size_exceeded_by_the_tokens_is_never_believed(number: int) -> None:
    """The client has reported 200k for sessions with a 1M window, and a person's setting may be out of date."""
    facts, expected = SOURCES[number]
    assert expected.tokens is not None
    assert size_of(tokens=expected.tokens, **facts) == expected
    beyond = size_of(tokens=expected.tokens + 1, **facts)
    assert beyond == (
        WindowSize(LONG, WindowSource.TOKENS) if expected.tokens < LONG else WindowSize(None, WindowSource.UNKNOWN)
    )


ASSUMED = (WindowSource.TOKENS, WindowSource.DEFAULT)


@pytest.mark.parametrize(
    ("source", "certainty"),
    [
        *((source, "known") for source in WindowSource if source not in {*ASSUMED, WindowSource.UNKNOWN}),
        *((source, "assumed") for source in ASSUMED),
        (WindowSource.UNKNOWN, "unknown"),
    ],
)
def test_each_source_has_its_certainty(source: WindowSource, certainty: str) -> None:
    assert source.certainty == certainty


@pytest.mark.parametrize("reported", [0, -1, 41_999, LARGEST + 1])
def test_an_impossible_reported_size_is_ignored(reported: int) -> None:
    assert size_of(tokens=42_000, reported=reported).source == WindowSource.DEFAULT


def test_the_largest_possible_size_is_believed() -> None:
    assert size_of(reported=LARGEST) == WindowSize(LARGEST, WindowSource.BRIDGE)


def test_the_setting_by_model_finds_every_form_of_the_id() -> None:
    sizes = {"us.anthropic.claude-opus-4-6-v1": 300_000}
    assert size_of(configured_models=sizes, configured=500_000) == WindowSize(300_000, WindowSource.CONFIG)
    assert size_of("claude-sonnet-4-5", configured_models=sizes).source == WindowSource.DEFAULT


def test_a_resumed_session_under_another_model_does_not_believe_the_last_ones_bridge() -> None:
    old: dict[str, Any] = {"reported": 1_000_000, "reported_model": "claude-opus-5"}
    assert size_of(MODEL, **old) == WindowSize(STANDARD, WindowSource.DEFAULT)
    assert size_of("claude-opus-5", reported=STANDARD, reported_model=MODEL) == WindowSize(LONG, WindowSource.CATALOGUE)
    assert size_of("claude-opus-5-20260901", **old) == WindowSize(LONG, WindowSource.BRIDGE)


@pytest.mark.parametrize(
    "model",
    ["claude-opus-4-8", "claude-opus-5", "claude-opus-5-5", "claude-sonnet-5", "claude-sonnet-5-5", "claude-haiku-5-5"],
)
def test_a_headless_run_of_a_long_by_default_model_has_a_long_window(model: str) -> None:
    assert size_of(model, tokens=170_000, is_long=False, identity=model) == WindowSize(LONG, WindowSource.CATALOGUE)


# Client, model and what the client was seen to give it, without and with `[1m]`, and with 1M disabled.
TABLE = (
    (LATER, "claude-opus-4-6", STANDARD, LONG),
    (LATER, "claude-sonnet-4-6", STANDARD, LONG),
    (LATER, "claude-opus-4-5", STANDARD, LONG),
    (LATER, "claude-sonnet-4-0", STANDARD, LONG),
    (LATER, "claude-haiku-4-5", STANDARD, LONG),
    (LATER, "claude-3-7-sonnet-20250219", STANDARD, LONG),
    (LATER, "claude-opus-4-7", LONG, LONG),
    (LATER, "claude-opus-5-5", LONG, LONG),
    (LATER, "claude-sonnet-5", LONG, LONG),
    (LATER, "claude-haiku-5-5", LONG, LONG),
    (LATER, "claude-fable-5", LONG, LONG),
    (LATER, "claude-mythos-1", LONG, LONG),
    (EARLIER, "claude-opus-4-6", STANDARD, LONG),
    (EARLIER, "claude-sonnet-4-6", STANDARD, LONG),
    (EARLIER, "claude-sonnet-5", LONG, LONG),
    (EARLIER, "claude-opus-4-8", LONG, LONG),
    (EARLIER, "claude-haiku-4-5", STANDARD, LONG),
)


@pytest.mark.parametrize(("client", "model", "plain", "marked"), TABLE)
def test_the_measured_windows(client: str, model: str, plain: int, marked: int) -> None:
    """The windows as a client that records its model shows them; the earlier one doesn't."""
    assert size_of(model, client=client, identity=model).tokens == plain
    assert size_of(model, client=client, identity=f"{model}[1m]") == WindowSize(marked, WindowSource.MODEL)
    disabled = size_of(model, client=client, identity=f"{model}[1m]", environ=DISABLED)
    assert disabled == WindowSize(STANDARD, WindowSource.VARIABLE)


@pytest.mark.parametrize("facts", [{"is_long": False}, {"identity": MODEL}])
def test_a_standard_window_is_known_once_the_client_records_its_request(facts: dict[str, Any]) -> None:
    assert size_of(**facts) == WindowSize(STANDARD, WindowSource.CATALOGUE)
    assert size_of(**facts, remembered=STANDARD) == WindowSize(STANDARD, WindowSource.LEARNED)


@pytest.mark.parametrize("remembered", [None, STANDARD])
def test_a_standard_window_is_assumed_while_the_beta_may_have_widened_it(remembered: int | None) -> None:
    """A headless run of the earlier client under `[1m]` records that nowhere."""
    assert size_of(client=EARLIER, remembered=remembered) == WindowSize(STANDARD, WindowSource.DEFAULT)


def test_on_bedrock_a_request_without_the_beta_decides_nothing() -> None:
    assert size_of(is_long=False, environ={"CLAUDE_CODE_USE_BEDROCK": "1"}) == WindowSize(
        STANDARD, WindowSource.DEFAULT
    )


@pytest.mark.parametrize("model", ["claude-opus-4-8", "claude-sonnet-5", "claude-fable-5"])
def test_a_window_that_depends_on_the_address_is_assumed(model: str) -> None:
    assert size_of(model, client=EARLIER) == WindowSize(LONG, WindowSource.DEFAULT)


def test_more_than_a_standard_window_holds_is_assumed_to_be_a_long_one() -> None:
    assert size_of(tokens=200_000).tokens == STANDARD
    assert size_of(tokens=200_001) == WindowSize(LONG, WindowSource.TOKENS)
    assert size_of("some-gateway", tokens=200_000) == WindowSize(None, WindowSource.UNKNOWN)
    assert size_of("some-gateway", tokens=200_001) == WindowSize(LONG, WindowSource.TOKENS)


@pytest.mark.parametrize("model", ["some-gateway", "claude-nova-9", ""])
def test_the_window_of_an_uncatalogued_model_is_unknown(model: str) -> None:
    assert size_of(model, tokens=199_999) == WindowSize(None, WindowSource.UNKNOWN)


def test_a_variable_sets_the_window_of_a_third_party_model() -> None:
    environ = {"CLAUDE_CODE_MAX_CONTEXT_TOKENS": "128000"}
    assert size_of("some-gateway", environ=environ) == WindowSize(128_000, WindowSource.VARIABLE)
    assert size_of("some-gateway", environ=environ | DISABLED) == WindowSize(128_000, WindowSource.VARIABLE)
    assert size_of("some-gateway", environ=environ, remembered=400_000) == WindowSize(128_000, WindowSource.VARIABLE)
    for model in (MODEL, "claude-nova-9", "us.anthropic.claude-next-v1:0", "CLAUDE-X", ""):
        assert size_of(model, environ=environ).source != WindowSource.VARIABLE


@pytest.mark.parametrize("text", ["128000.7", " 128000 ", "128000 tokens", "+128000"])
def test_the_client_reads_the_variables_leading_number(text: str) -> None:
    environ = {"CLAUDE_CODE_MAX_CONTEXT_TOKENS": text}
    assert size_of("some-gateway", environ=environ) == WindowSize(128_000, WindowSource.VARIABLE)


@pytest.mark.parametrize("text", ["", "0", "-5", "many", "1" * 5_000, "1e999"])
def test_a_variable_without_a_number_is_ignored(text: str) -> None:
    environ = {"CLAUDE_CODE_MAX_CONTEXT_TOKENS": text}
    assert size_of("some-gateway", environ=environ) == WindowSize(None, WindowSource.UNKNOWN)


@pytest.mark.parametrize("value", ["1", "true", "YES", "on", " 1 ", "True\n"])
def test_a_disabled_long_window_overrides_the_mark(value: str) -> None:
    """The client's attachment keeps `[1m]` all the same."""
    environ, asked = {"CLAUDE_CODE_DISABLE_1M_CONTEXT": value}, f"{MODEL}[1m]"
    assert size_of(environ=environ, asked_model=asked, identity=asked) == WindowSize(STANDARD, WindowSource.VARIABLE)
    assert size_of(asked, environ=environ, asked_model=asked) == WindowSize(STANDARD, WindowSource.VARIABLE)
    assert size_of("some-gateway", environ=environ, asked_model=asked) == WindowSize(STANDARD, WindowSource.VARIABLE)


def test_an_observed_standard_window_is_known_while_long_ones_are_disabled() -> None:
    assert size_of(environ=DISABLED, remembered=STANDARD) == WindowSize(STANDARD, WindowSource.LEARNED)


@pytest.mark.parametrize("value", ["", "0", "false"])
def test_a_long_window_counts_unless_disabled(value: str) -> None:
    environ = {"CLAUDE_CODE_DISABLE_1M_CONTEXT": value}
    assert size_of(environ=environ, identity=f"{MODEL}[1m]") == WindowSize(LONG, WindowSource.MODEL)


@pytest.mark.parametrize("asked", [f"{MODEL}[1m]", "opus[1m]", "OPUS[1M]", "us.anthropic.claude-opus-4-6-v1[1m]"])
def test_a_request_marks_the_model_it_names(asked: str) -> None:
    assert size_of(asked_model=asked) == WindowSize(LONG, WindowSource.MODEL)
    assert size_of("", asked_model=asked) == WindowSize(LONG, WindowSource.MODEL)


@pytest.mark.parametrize("asked", ["sonnet[1m]", "claude-opus-4-5[1m]", "claude-opus-4[1m]", "opus", "[1m]"])
def test_a_request_does_not_apply_to_another_model(asked: str) -> None:
    assert size_of(asked_model=asked) == WindowSize(STANDARD, WindowSource.DEFAULT)


def test_an_observed_standard_window_overrides_the_catalogue() -> None:
    """A client at another address than Anthropic's own gives a large model a small window."""
    assert size_of("claude-opus-4-7", client="2.1.330", remembered=STANDARD) == WindowSize(
        STANDARD, WindowSource.DEFAULT
    )
