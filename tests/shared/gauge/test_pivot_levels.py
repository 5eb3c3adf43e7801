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
def test_a_level_begins_with_its_bound(used: float, level: str) -> None:
    assert PivotLevels().reached(used) == PivotLevel[level]


@pytest.mark.parametrize("window", [200_000, 1_000_000, 123_457])
def test_the_bounds_are_met_to_the_token(window: int) -> None:
    for bound, level in ((50, "WARNING"), (70, "ALERT"), (85, "CRITICAL"), (95, "EMERGENCY")):
        first = -(-window * bound // 100)
        assert PivotLevels().reached(percent(first, window)) == PivotLevel[level]
        assert PivotLevels().reached(percent(first - 1, window)) < PivotLevel[level]


def test_where_only_a_percentage_is_known_it_counts() -> None:
    assert [percent_of(reading(None, None, 100 - used)) for used in range(101)] == list(range(101))


def test_a_window_is_never_more_than_full() -> None:
    assert percent_of(reading(300_000, 200_000, remaining_percentage(300_000, 200_000))) == 100


def test_the_bounds_are_the_persons() -> None:
    assert PivotLevels(critical=80).reached(80) == PivotLevel.CRITICAL
