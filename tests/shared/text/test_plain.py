import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.text.plain import (
    IGNORABLE,
    code,
    elide,
    escaped,
    name_end,
    one_line,
    path_end,
    plain,
    untagged,
    whole_seconds,
)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Opus 4.6",
        "größer",
        "日本語",
        "naïve café",
        "👩\u200d💻",
        "1\ufe0f\u20e3",
        "葛\U000e0100",
        "芦\ufe00",
        "日本\u3000語",
        "\u1820\u180b\u1820\u180d\u4e00\ufe00\u4e00\ufe0f\u845b\U000e0100\u845b\U000e01ef",  # variants
        "9.41\u202fAM",
        "❤\ufe0f\u200d🔥",
        "⚠\ufe0f",
        "\u0645\u06cc\u200c\u062e",
    ],
)
def test_ordinary_text_stays(text: str) -> None:
    assert plain(text) == text


@pytest.mark.parametrize("letter", ["a", "\u00e9"])
def test_a_text_is_cut_at_two_hundred_characters_by_default(letter: str) -> None:
    assert plain(letter * 201) == letter * 200
    assert plain(letter * 201, 7) == letter * 7


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
        ("a\ufe0fb\U000e0101c\u034fd\u3164e\u115ff\uffa0g\u2800h\u180bi", "abcdefghi"),  # drawn as nothing, or blank
        ("a\u200d\u200cb", "ab"),  # joiners join nothing here
        ("👩\u200d\u200d\u200d💻\ufe0f\ufe0e", "👩\u200d💻\ufe0f"),  # and no more than one at a place
    ],
)
def test_characters_that_steer_a_terminal_or_a_prompt_are_removed(text: str, safe: str) -> None:
    assert plain(text) == safe


@given(st.text(), st.integers(0, 50))
def test_no_control_character_ever_passes(text: str, longest: int) -> None:
    result = plain(text, longest)
    assert len(result) <= longest
    assert not [c for c in result if unicodedata.category(c) in {"Cc", "Cs", "Zl", "Zp"}]


def test_long_text_is_cut() -> None:
    assert plain("x" * 1_000) == "x" * 200
    assert plain("é" * 1_000, 5) == "é" * 5


TEXTS = st.text(max_size=300)
JOINERS = "\u200c\u200d"


@given(TEXTS)
def test_an_escaped_text_opens_and_closes_no_tag(text: str) -> None:
    assert not set(escaped(text)) & set("<>")
    assert "<" not in untagged(text)


@given(TEXTS, st.integers(1, 80))
def test_a_line_is_one_line_and_bounded(text: str, longest: int) -> None:
    line = one_line(text, longest)
    assert len(line) <= longest
    harmful = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}
    assert not {unicodedata.category(character) for character in line if character not in JOINERS} & harmful


@given(TEXTS.map(lambda text: f"`{text}`"), st.integers(2, 80))
def test_text_between_backticks_cannot_close_them(text: str, longest: int) -> None:
    quoted = code(text, longest)

    assert (quoted[0], quoted[-1], quoted.count("`")) == ("`", "`", 2)
    assert len(quoted) <= longest + 2


@given(TEXTS, st.integers(2, 80))
def test_the_end_of_a_path_is_kept(path: str, longest: int) -> None:
    assert len(path_end(path, longest)) <= longest


@pytest.mark.parametrize(("first", "last"), IGNORABLE)
def test_all_invisible_characters_are_removed(first: str, last: str) -> None:
    assert plain(f"a{first}b{last}c") == "abc"


@pytest.mark.parametrize(
    "name", ["src/app.py", "größer/naïve.md", "fix/login-2", "a b.py", "x; 2. Run it", "it, too", "`a`"]
)
def test_a_name_that_could_be_a_sentence_is_put_between_backticks(name: str) -> None:
    is_plain = name in {"src/app.py", "größer/naïve.md", "fix/login-2"}
    assert name_end(name, 80) == (name if is_plain else f"`{name.replace('`', chr(0x2019))}`")
    assert len(name_end(name, 6)) <= 8


def test_a_cut_is_marked() -> None:
    assert one_line("many words here", 8) == "many wo\u2026"
    assert path_end("/home/dev/shop/src/app.py", 12) == "\u2026/src/app.py"


def test_a_text_of_exactly_the_maximum_length_is_not_cut() -> None:
    assert (one_line("abcde", 5), one_line("abcdef", 5)) == ("abcde", "abcd\u2026")
    assert (path_end("/a/bc", 5), path_end("/a/bcd", 5)) == ("/a/bc", "\u2026/bcd")


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("2026-01-05T09:00:00.123Z", "2026-01-05T09:00:00"),
        ("2026-01-05T09:00:00+00:00", "2026-01-05T09:00:00"),
        ("2026-01-05", "2026-01-05"),
        ("\x1b[31mnow", "now"),
        ("", ""),
    ],
)
def test_a_time_is_shown_to_the_second(written: str, expected: str) -> None:
    assert whole_seconds(written) == expected


def test_a_long_text_loses_its_middle() -> None:
    words = "".join(chr(ord("a") + number % 26) for number in range(101))
    assert elide(words[:100], 100) == words[:100]
    assert elide(words, 100) == f"{words[:67]} [\u2026] {words[-33:]}"
