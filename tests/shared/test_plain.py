import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.plain import plain


@pytest.mark.parametrize(
    "text", ["", "Opus 4.6", "größer", "日本語", "naïve café", "👩\u200d💻", "\u0645\u06cc\u200c\u062e"]
)
def test_ordinary_text_stays(text: str) -> None:
    assert plain(text) == text


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("a\x1b[31mb", "ab"),
        ("a\nb\rc\td", "abcd"),
        ("a\x00b\x7fc", "abc"),
        ("é\x9b31m", "é"),  # the one-character form of ESC [
        ("é\u202eabc\u2066", "éabc"),  # turns the direction of what follows
        ("é\u2028b\u2029c", "ébc"),
        ("é\ufeff\u200b\U000e0041", "é"),  # invisible
        ("é\ud800", "é"),
    ],
)
def test_characters_that_steer_a_terminal_or_a_prompt_go(text: str, safe: str) -> None:
    assert plain(text) == safe


@given(st.text(), st.integers(0, 50))
def test_no_control_character_ever_passes(text: str, longest: int) -> None:
    found = plain(text, longest)
    assert len(found) <= longest
    assert not [c for c in found if unicodedata.category(c) in {"Cc", "Cs", "Zl", "Zp"}]


def test_long_text_is_cut() -> None:
    assert plain("x" * 1_000) == "x" * 200
    assert plain("é" * 1_000, 5) == "é" * 5
