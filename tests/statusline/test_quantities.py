import pytest

from statusline.quantities import tokens_text


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
    ],
)
def test_tokens_are_short(tokens: int, text: str) -> None:
    assert tokens_text(tokens) == text
