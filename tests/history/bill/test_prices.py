import pytest

from history.bill.prices import ModelPrice, price_of

OPUS = ModelPrice(5, 6.25, 10, 0.5, 25)


@pytest.mark.parametrize(
    "model",
    ["claude-opus-5", "claude-opus-4-5-20251101", "us.anthropic.claude-opus-4-6-v1:0[1m]", "claude-opus-4-8[1m]"],
)
def test_a_model_is_found_in_any_providers_form(model: str) -> None:
    assert price_of(model, {}) == OPUS


def test_an_unknown_model_has_no_price() -> None:
    assert price_of("qwen-max", {}) is None
    assert price_of("claude-opus-9", {}) is None


def test_the_persons_own_price_comes_first() -> None:
    own = {"claude-opus-5": "1 2 3 4 5", "qwen-max": "0.5 0.5 0.5 0.1 2"}

    assert price_of("claude-opus-5", own) == ModelPrice(1, 2, 3, 4, 5)
    assert price_of("qwen-max", own) == ModelPrice(0.5, 0.5, 0.5, 0.1, 2)


def test_each_kind_of_token_has_its_price() -> None:
    assert OPUS.cost(1, 10, 100, 1_000, 10_000) == 5 + 62.5 + 1_000 + 500 + 250_000


def test_a_long_request_costs_more_where_the_model_has_a_surcharge() -> None:
    price = price_of("claude-sonnet-4-5", {})
    assert price is not None

    assert price.cost(0, 0, 0, 200_000, 10) == 200_000 * 0.3 + 10 * 15
    assert price.cost(1, 0, 0, 200_000, 10) == pytest.approx(2 * (3 + 200_000 * 0.3) + 1.5 * 10 * 15)
