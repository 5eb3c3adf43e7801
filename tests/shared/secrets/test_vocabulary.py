"""Each part of a text is found in it, whatever escape precedes it."""

import pytest

from shared.secrets.vocabulary import Vocabulary

PATTERNS = (("nothing|ysq", "of a part of a word"), ("mysql -|mysql: ", "of more"), ("=", "of a sign"))


@pytest.mark.parametrize(
    "text", ["mysql -p", "a\\nmysql x", "\\u2192mysql x", "\x1b[0mmysql x", "a%2Fmysql x", "(mysql\\tx"]
)
def test_a_word_is_found_after_an_escape(text: str) -> None:
    words = Vocabulary(text)
    assert words.starting(("mysql", "my")) == ["mysql", "my"]
    assert "of a part of a word" in words.patterns(PATTERNS)


def test_a_word_in_no_text_is_not_found() -> None:
    words = Vocabulary("mysql-dump of a password is: nothing")
    assert words.starting(("mysql ", "dump_", "mysql-t")) == []
    assert words.patterns((("password:|passwords", ""), ("mysql -", ""))) == []


@pytest.mark.parametrize(
    ("text", "pattern"), [("mysql -p", "of more"), ("x mysql: y", "of more"), ("x =y", "of a sign")]
)
def test_a_part_is_found_with_its_signs(text: str, pattern: str) -> None:
    assert pattern in Vocabulary(text).patterns(PATTERNS)
    assert pattern not in Vocabulary("mysql- :").patterns(PATTERNS)


@pytest.mark.parametrize("beginning", ["$2a$", "1//0"])
def test_a_beginning_is_looked_up_by_its_letters_and_digits_alone(beginning: str) -> None:
    assert Vocabulary(f"x {beginning}abc").starting((beginning,)) == [beginning]
