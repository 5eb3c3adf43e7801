import pytest

from shared.gauge.window import Reading, WindowSource, percent_text, remaining_percentage
from shared.text.quantities import round_half_up
from shared.transcript.records import Usage


def test_output_is_not_counted_in_the_window() -> None:
    assert Usage(input=3, cache_creation=2_000, cache_read=18_997, output=180).tokens == 21_000
    assert Usage(3, 2_000, 18_997).output == 0


@pytest.mark.parametrize(
    ("tokens", "window", "remaining"),
    [
        (21_000, 200_000, 89),  # the client's own pairs, from the captured status lines
        (52_000, 200_000, 74),
        (90_003, 200_000, 55),
        (118_000, 200_000, 41),
        (150_003, 200_000, 25),
        (27_003, 200_000, 86),
        (13_003, 200_000, 93),
        (3, 200_000, 100),
    ],
)
def test_remaining_is_the_clients_own_integer(tokens: int, window: int, remaining: int) -> None:
    assert remaining_percentage(tokens, window) == remaining


@pytest.mark.parametrize(
    ("tokens", "remaining"),
    [(128_999, 36), (129_000, 35), (130_999, 35), (131_000, 34), (149_000, 25), (169_000, 15), (168_999, 16)],
)
def test_used_is_rounded_halves_up(tokens: int, remaining: int) -> None:
    assert remaining_percentage(tokens, 200_000) == remaining


@pytest.mark.parametrize(("tokens", "remaining"), [(0, 100), (200_000, 0), (250_000, 0)])
def test_remaining_stays_within_bounds(tokens: int, remaining: int) -> None:
    assert remaining_percentage(tokens, 200_000) == remaining


@pytest.mark.parametrize(("remaining", "used"), [(28.5, 72), (28.6, 71), (29, 71), (0, 100), (100, 0), (99.5, 1)])
def test_used_is_the_complement_of_remaining(remaining: float, used: int) -> None:
    reading = Reading(remaining, None, None, "bridge", WindowSource.BRIDGE, 0.0)
    assert reading.used == used


@pytest.mark.parametrize(("value", "rounded"), [(0.49, 0), (0.5, 1), (1.5, 2), (2.5, 3), (71.5, 72)])
def test_halves_are_rounded_up(value: float, rounded: int) -> None:
    assert round_half_up(value) == rounded


@pytest.mark.parametrize(("percentage", "text"), [(28, "28"), (28.0, "28"), (28.5, "28.5"), (0, "0"), (100, "100")])
def test_a_percentage_is_written_without_trailing_zeros(percentage: float, text: str) -> None:
    assert percent_text(percentage) == text
