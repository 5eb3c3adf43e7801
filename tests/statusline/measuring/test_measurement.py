from typing import Any

import pytest

from shared.gauge.limit import Learned, window_key
from shared.gauge.verdict import Conditions
from shared.gauge.window import Reading, WindowSource
from shared.settings.config import Window
from shared.transcript.records import Answer, Usage
from statusline.measuring.measurement import reading_of, usage_of
from statusline.payload import ContextWindow, CurrentUsage

USAGE = CurrentUsage(3, 500, 997, 141_000)
ZERO = CurrentUsage(0, 0, 0, 0)


def measured(
    block: ContextWindow, model: str = "claude-opus-4-6", settings: Window | None = None, **facts_of_call: Any
) -> Reading | None:
    facts: dict[str, Any] = {"environ": {}, "learned": Learned(), "client_directory": "/n"}
    conditions = Conditions(**(facts | {"settings": (), "model": model, "client": "2.1.330"} | facts_of_call))
    return reading_of(block, settings or Window(), conditions, 5.0)


def test_the_clients_percentage_is_used_unchanged() -> None:
    reading = measured(ContextWindow(200_000, 72, 28.5, USAGE))

    assert reading == Reading(28.5, 142_000, 200_000, "statusline", WindowSource.BRIDGE, 5.0)


def test_the_used_percentage_serves_alone() -> None:
    reading = measured(ContextWindow(200_000, 72, None, USAGE))

    assert reading
    assert reading.remaining == 28


@pytest.mark.parametrize(("percentage", "remaining"), [(105, 0), (-3, 100)])
def test_percentages_stay_within_bounds(percentage: int, remaining: int) -> None:
    reading = measured(ContextWindow(200_000, percentage, None, USAGE))

    assert reading
    assert reading.remaining == remaining


def test_without_percentages_tokens_and_size_give_one() -> None:
    reading = measured(ContextWindow(200_000, None, None, USAGE))

    assert reading
    assert (reading.remaining, reading.used) == (29, 71)


@pytest.mark.parametrize("usage", [None, CurrentUsage(), ZERO])
@pytest.mark.parametrize(("used", "remaining"), [(None, None), (0, 100), (0, None), (None, 100)])
def test_no_tokens_and_nothing_used_is_unknown(
    usage: CurrentUsage | None, used: int | None, remaining: int | None
) -> None:
    assert measured(ContextWindow(200_000, used, remaining, usage)) is None


def test_a_percentage_without_tokens_is_a_reading() -> None:
    assert measured(ContextWindow(200_000, 72, 28)) == Reading(
        28, None, 200_000, "statusline", WindowSource.BRIDGE, 5.0
    )
    assert measured(ContextWindow(None, 72, 28)) == Reading(28, None, None, "statusline", WindowSource.BRIDGE, 5.0)


def test_three_tokens_are_a_reading() -> None:
    reading = measured(ContextWindow(200_000, 0, 100, CurrentUsage(3)))

    assert reading
    assert (reading.used, reading.tokens) == (0, 3)


def test_tokens_beyond_the_clients_window_prove_a_larger_one() -> None:
    reading = measured(ContextWindow(200_000, 100, 0, CurrentUsage(3, 0, 0, 249_997)))

    assert reading == Reading(75, 250_000, 1_000_000, "statusline", WindowSource.TOKENS, 5.0)


def test_tokens_of_another_model_prove_nothing_about_the_chosen_models_window() -> None:
    """`/model` in a window of a million: the client compacts with the next prompt."""
    answer = Answer("msg_1", "claude-opus-5", 250_000, 10, "", 0)
    conditions = Conditions({}, Learned(), "/n", (), "claude-opus-4-6", "2.1.330")
    block = ContextWindow(200_000, 100, 0, CurrentUsage(3, 0, 0, 249_997))

    reading = reading_of(block, Window(), conditions, 5.0, [answer])

    assert reading == Reading(0, 250_000, 200_000, "statusline", WindowSource.BRIDGE, 5.0)


def test_the_persons_window_comes_first() -> None:
    for settings in (Window(400_000), Window(300_000, {"claude-opus-4-6": 400_000})):
        reading = measured(ContextWindow(200_000, 71, 29, USAGE), settings=settings)

        assert reading == Reading(64, 142_000, 400_000, "statusline", WindowSource.CONFIG, 5.0)

    without_tokens = measured(ContextWindow(200_000, 71, 29), settings=Window(models={"claude-opus-4-6": 400_000}))
    assert without_tokens == Reading(29, None, 400_000, "statusline", WindowSource.CONFIG, 5.0)


def test_a_long_window_comes_from_the_client() -> None:
    reading = measured(ContextWindow(1_000_000, 14, 86, USAGE), "claude-opus-4-6[1m]")

    assert reading == Reading(86, 142_000, 1_000_000, "statusline", WindowSource.BRIDGE, 5.0)


def test_without_a_size_the_percentage_stands_alone() -> None:
    reading = measured(ContextWindow(None, 14, 86, USAGE), "some-gateway")

    assert reading == Reading(86, 142_000, None, "statusline", WindowSource.UNKNOWN, 5.0)


def test_without_a_size_the_catalogue_counts() -> None:
    reading = measured(ContextWindow(None, None, None, USAGE), "claude-opus-5")

    assert reading == Reading(86, 142_000, 1_000_000, "statusline", WindowSource.CATALOGUE, 5.0)


def test_without_a_size_and_a_percentage_another_model_is_unknown() -> None:
    reading = measured(ContextWindow(None, None, None, USAGE), "some-gateway")

    assert reading == Reading(None, 142_000, None, "statusline", WindowSource.UNKNOWN, 5.0)
    assert reading.used is None


def test_without_a_size_the_learnt_one_counts() -> None:
    windows = {window_key("claude-opus-4-6", "2.1.330", {}): 1_000_000}
    reading = measured(ContextWindow(None, None, None, USAGE), learned=Learned(windows))

    assert reading == Reading(86, 142_000, 1_000_000, "statusline", WindowSource.LEARNED, 5.0)


def test_output_is_kept_but_not_counted() -> None:
    usage = usage_of(ContextWindow(current_usage=CurrentUsage(3, 500, None, 997)))

    assert usage == Usage(3, 0, 997, 500)
    assert usage is not None
    assert usage.tokens == 1000
