import tracemalloc

import pytest

from monitor.guards.reading.expansion import LONGEST_PATH, braces

CHOICES = ",".join("abcdefghij" * 2_000)


@pytest.mark.parametrize(
    ("word", "words"),
    [
        ("a", ["a"]),
        ("a{b,c}d", ["abd", "acd"]),
        ("{a,b}{c,d}", ["bc", "bd", "ac", "ad"]),
        ("a{b}c", ["a{b}c"]),
        ("}{a,b", ["}{a,b"]),
    ],
)
def test_choices_in_braces(word: str, words: list[str]) -> None:
    assert sorted(braces(word)) == sorted(words)


def test_no_more_words_than_are_looked_at_are_made() -> None:
    assert len(braces(f"{{{CHOICES}}}")) == 300


def test_a_word_that_no_path_can_be_stays() -> None:
    word = "{a,b}" + "x" * (LONGEST_PATH + 1)
    assert braces(word) == [word]


@pytest.mark.parametrize("tail", ["", "x" * 20_000, "{a,b}" * 4_000], ids=["none", "long", "of braces"])
def test_many_choices_take_little_memory(tail: str) -> None:
    tracemalloc.start()
    braces(f"{{{CHOICES}}}{tail}")
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 4 << 20
