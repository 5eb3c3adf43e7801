from collections.abc import Mapping
from typing import Any

import pytest

from shared import window
from shared.window import LARGEST, LONG, STANDARD, base_model, is_marked_long, resolve

MODEL = "claude-opus-4-6"
SOURCES: tuple[tuple[dict[str, Any], tuple[int, str]], ...] = (
    ({"configured": 500_000}, (500_000, window.CONFIG)),
    ({"reported": 300_000}, (300_000, window.BRIDGE)),
    ({"is_long": True}, (LONG, window.REQUEST)),
    ({"environ": {"ANTHROPIC_MODEL": "claude-opus-4-6[1m]"}}, (LONG, window.MODEL)),
    ({"learned": {MODEL: 400_000}}, (400_000, window.LEARNED)),
    ({}, (STANDARD, window.DEFAULT)),
)
"""What is known, the most trusted first, and what it makes of the window."""


@pytest.mark.parametrize("known", range(len(SOURCES)))
def test_the_first_source_that_holds_is_believed(known: int) -> None:
    given: dict[str, Any] = {"environ": {}}
    for source, _ in reversed(SOURCES[known:]):
        given |= source
    assert resolve(1_000, MODEL, **given) == SOURCES[known][1]


def test_a_request_for_the_standard_window_decides_nothing() -> None:
    """Some models have a long window without asking for it."""
    assert resolve(1_000, MODEL, is_long=False, learned={MODEL: LONG}, environ={}) == (LONG, window.LEARNED)


def test_a_long_window_is_told_by_its_tokens() -> None:
    assert resolve(200_001, MODEL, is_long=False, environ={}) == (LONG, window.TOKENS)


@pytest.mark.parametrize("reported", [0, -1, 41_999, LARGEST + 1])
def test_a_reported_size_that_cannot_be_is_passed_over(reported: int) -> None:
    assert resolve(42_000, MODEL, reported=reported, environ={}) == (STANDARD, window.DEFAULT)


@pytest.mark.parametrize("reported", [42_000, 42_001, LARGEST])
def test_a_reported_size_that_can_be_is_believed(reported: int) -> None:
    assert resolve(42_000, MODEL, reported=reported, environ={}) == (reported, window.BRIDGE)


def test_tokens_beyond_the_reported_size_disprove_it() -> None:
    """The client has reported 200k for sessions with a 1M window."""
    assert resolve(200_001, MODEL, reported=200_000, environ={}) == (LONG, window.TOKENS)


def test_tokens_beyond_what_was_learnt_disprove_it() -> None:
    assert resolve(200_001, MODEL, learned={MODEL: 200_000}, environ={}) == (LONG, window.TOKENS)


def test_what_was_learnt_of_another_model_says_nothing() -> None:
    assert resolve(1_000, MODEL, learned={"claude-sonnet-5": LONG}, environ={}) == (STANDARD, window.DEFAULT)


@pytest.mark.parametrize(("tokens", "size"), [(200_000, STANDARD), (200_001, LONG)])
def test_a_standard_window_holds_200k(tokens: int, size: int) -> None:
    assert resolve(tokens, MODEL, environ={})[0] == size


@pytest.mark.parametrize(
    ("model", "environ"),
    [
        ("claude-opus-4-6[1m]", {}),
        ("claude-opus-4-6[1M]", {}),
        ("CLAUDE-SONNET-4-5[1M]-v2", {}),
        (MODEL, {"ANTHROPIC_MODEL": "opus[1m]"}),
        ("", {"ANTHROPIC_MODEL": "OPUS[1M]"}),
    ],
)
def test_a_marked_model_has_a_long_window(model: str, environ: Mapping[str, str]) -> None:
    assert resolve(1_000, model, environ=environ) == (LONG, window.MODEL)


@pytest.mark.parametrize("model", ["", MODEL, "claude-opus-1m", "[1mb]", "1m"])
def test_other_models_are_not_marked(model: str) -> None:
    assert not is_marked_long(model)
    assert base_model(model) == model


@pytest.mark.parametrize(
    ("model", "base"), [("claude-opus-4-6[1m]", MODEL), ("claude-opus-4-6[1M]", MODEL), ("[1m]", "")]
)
def test_transcripts_name_a_model_without_its_mark(model: str, base: str) -> None:
    assert base_model(model) == base
