import pytest

from shared.quantities import tokens_text


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        (0, "0"),
        (999, "999"),
        (1000, "1k"),
        (9_460, "9.5k"),
        (9_949, "9.9k"),
        (9_950, "10k"),
        (142_000, "142k"),
        (199_600, "200k"),
        (999_499, "999k"),
        (999_500, "1M"),
        (1_000_000, "1M"),
        (1_250_000, "1.25M"),
        (140_000_000, "140M"),
        (999_499_999, "999M"),
        (999_500_000, "1B"),
        (3_400_000_000, "3.4B"),
        (-9_460, "-9.5k"),
    ],
)
def test_tokens_are_short(tokens: int, text: str) -> None:
    assert tokens_text(tokens) == text
