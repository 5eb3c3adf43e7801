import pytest

from shared.text.quantities import duration_text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (-5, "0s"),
        (0.7, "0s"),
        (59.9, "59s"),
        (60, "1m"),
        (3599, "59m"),
        (3600, "1h00m"),
        (7_860, "2h11m"),
        (86_400, "1d0h"),
        (273_600, "3d4h"),
    ],
)
def test_durations_keep_their_two_largest_units(seconds: float, text: str) -> None:
    assert duration_text(seconds) == text
