import pytest

from shared.gauge.levels import PivotLevel, PivotLevels, percent_of
from shared.gauge.window import Reading, WindowSource, remaining_percentage


def reading(tokens: int | None, window: int | None, remaining: float = 0) -> Reading:
    return Reading(remaining, tokens, window, "transcript", WindowSource.DEFAULT, 0)


def percent(tokens: int, window: int) -> float:
    result = percent_of(reading(tokens, window))
    assert result is not None
    return result


@pytest.mark.parametrize(
    ("used", "level"),
    [
        (0, "NORMAL"),
        (49.999999, "NORMAL"),
        (50, "WARNING"),
        (69.999999, "WARNING"),
        (70, "ALERT"),
        (84.999999, "ALERT"),
        (85, "CRITICAL"),
        (94.999999, "CRITICAL"),
        (95, "EMERGENCY"),
        (100, "EMERGENCY"),
    ],
)
def test_a_level_begins_at_its_bound(used: float, level: str) -> None:
    assert PivotLevels().reached(used) == PivotLevel[level]


@pytest.mark.parametrize("window", [200_000, 1_000_000, 123_457])
def test_the_bounds_are_exact_to_the_token(window: int) -> None:
    for bound, level in ((50, "WARNING"), (70, "ALERT"), (85, "CRITICAL"), (95, "EMERGENCY")):
        first = -(-window * bound // 100)
        assert PivotLevels().reached(percent(first, window)) == PivotLevel[level]
        assert PivotLevels().reached(percent(first - 1, window)) < PivotLevel[level]


def test_a_percentage_counts_if_nothing_else_is_known() -> None:
    assert [percent_of(reading(None, None, 100 - used)) for used in range(101)] == list(range(101))


def test_usage_never_exceeds_the_window() -> None:
    assert percent_of(reading(300_000, 200_000, remaining_percentage(300_000, 200_000))) == 100


def test_the_person_sets_the_bounds() -> None:
    assert PivotLevels(critical=80).reached(80) == PivotLevel.CRITICAL
