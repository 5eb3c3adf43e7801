import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.gauge.levels import Tier, Tiers, fill_of
from shared.gauge.window import Reading, WindowSource

WINDOWS = st.integers(1, 2_000_000)


def reading(remaining: float, tokens: int | None, window: int | None) -> Reading:
    return Reading(remaining, tokens, window, "transcript", WindowSource.DEFAULT, 0)


def fill(tokens: int, window: int) -> float:
    result = fill_of(reading(0, tokens, window))
    assert result is not None
    return result


@pytest.mark.parametrize(("remaining", "expected"), [(100.5, 0.0), (-0.5, 1.0)])
def test_a_percentage_out_of_range_is_an_empty_or_full_window(remaining: float, expected: float) -> None:
    assert fill_of(reading(remaining, None, None)) == expected


def test_a_window_of_unknown_size_has_no_fill() -> None:
    assert fill_of(Reading(None, 130_000, None, "transcript", WindowSource.UNKNOWN, 0)) is None


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        (reading(50, 110_000, 200_000), 0.55),
        (reading(28.5, None, None), 0.715),
        (reading(28.5, 5, None), 0.715),
        (reading(0, 300_000, 200_000), 1.0),
        (reading(100, 0, 200_000), 0.0),
    ],
)
def test_the_fill_is_exact_if_the_tokens_are_known(result: Reading, expected: float) -> None:
    assert fill_of(result) == pytest.approx(expected, abs=1e-12)


@given(part=st.floats(0, 1), more=st.floats(0, 1))
def test_a_fuller_window_is_never_in_a_calmer_tier(part: float, more: float) -> None:
    assert Tiers().reached(min(1.0, part + more)) >= Tiers().reached(part)


@pytest.mark.parametrize("window", [200_000, 500_000, 1_000_000])
@pytest.mark.parametrize(
    ("part", "tier"), [(55, Tier.LOW), (70, Tier.WARNING), (80, Tier.CRITICAL), (88, Tier.EMERGENCY)]
)
def test_each_bound_belongs_to_its_tier(window: int, part: int, tier: Tier) -> None:
    tokens = window * part // 100
    assert Tiers().reached(fill(tokens, window)) == tier
    assert Tiers().reached(fill(tokens - 1, window)) == tier - 1
