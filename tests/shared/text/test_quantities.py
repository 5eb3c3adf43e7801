import pytest

from shared.text.quantities import counted, tokens_text


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
        (99_490_000, "99.49M"),
        (99_500_000, "100M"),
        (99_800_000, "100M"),
        (140_000_000, "140M"),
        (999_499_999, "999M"),
        (999_500_000, "1B"),
        (3_400_000_000, "3.4B"),
        (-9_460, "-9.5k"),
    ],
)
def test_tokens_are_short(tokens: int, text: str) -> None:
    assert tokens_text(tokens) == text


@pytest.mark.parametrize(
    ("number", "noun", "text"),
    [(0, "file", "0 files"), (1, "file", "1 file"), (1_200, "entry", "1,200 entries"), (1, "entry", "1 entry")],
)
def test_a_noun_agrees_with_its_number(number: int, noun: str, text: str) -> None:
    assert counted(number, noun) == text
