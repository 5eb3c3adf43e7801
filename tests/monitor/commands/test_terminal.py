import pytest

from monitor.commands.terminal import duration


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (-3, "0 s"), (0.9, "0 s"), (60, "60 s"), (119.9, "119 s"), (120, "2 min"), (7_199, "119 min"),
        (7_200, "2 h"), (172_799, "47 h"), (172_800, "2 days"),
    ],
)  # fmt: skip
def test_a_duration_is_told_in_the_largest_unit_of_which_there_are_two(seconds: float, text: str) -> None:
    assert duration(seconds) == text
