"""A text's words, indexed: most of some 300 fixed parts, without which a pattern can't match, are in no text."""

import functools
import itertools
import re

from shared.secrets.tables import Rows
from shared.secrets.values import compiled

_WORD = r"%[0-9A-Fa-f]{2}|\[[0-9;]{1,12}m|[A-Za-z0-9_-]+[ -$&-Z\\-~]?"
"""A word of a key, and the symbol after it; an escape of an address or a terminal is a word of its own."""
_HEAD = 3
"""Characters of a word that rule out most beginnings."""


class Vocabulary:
    """An index of a text's words for repeated lookups. A part that is in the text is never missed."""

    def __init__(self, text: str) -> None:
        words = set(compiled(_WORD).findall(text))
        words |= {word[1:] for word in words if word[0] in "nrtbf"} | {word[5:] for word in words if word[0] == "u"}
        heads = {word[:_HEAD] for word in words}
        self._heads = heads | {head[:-1] for head in heads}
        self._words = "\n".join(["", *words])  # also without what may be the letters of an escape of JSON
        self._data = text.encode("utf-8", "surrogatepass")  # bytes are searched in half the time

    def starting(self, beginnings: tuple[str, ...]) -> list[str]:
        """The `beginnings` whose first or longest word begins a word of the text."""
        lookups = _lookups(beginnings)
        return [one for one, head, start in lookups if head in self._heads and start in self._words]

    def patterns(self, rows: Rows) -> list[str]:
        """The patterns of the rows of which the text has a part; `|` separates the parts."""
        words, data = self._words, self._data
        return list(dict.fromkeys(one for one, part, word in _parts(rows) if word in words and part in data))


def lowered(text: str) -> str:
    """`text` in lower case and of the same length: a few letters would get longer."""
    small = text.lower()
    return small if len(small) == len(text) else "".join(c.lower() if c.isascii() else c for c in text)


def occurrences(words: frozenset[str], text: str) -> list[tuple[int, int]]:
    """The start and end of each match of `words`, which are patterns with a literal first character, in order."""
    patterns = (pattern for letter, pattern in _by_letter(words) if letter in text)
    matches = (match for pattern in patterns for match in pattern.finditer(text))
    return sorted((match.start(), match.end(1)) for match in matches)


@functools.cache
def _by_letter(words: frozenset[str]) -> list[tuple[str, re.Pattern[str]]]:
    """A pattern for each first letter, which is many times faster than all words in one pattern."""
    groups = itertools.groupby(sorted(words, reverse=True), key=lambda word: word[0])
    return [(letter, re.compile(f"{letter}(?=({'|'.join(word[1:] for word in group)}))")) for letter, group in groups]


@functools.cache
def _lookups(beginnings: tuple[str, ...]) -> list[tuple[str, str, str]]:
    """Each beginning with the head and the start of its lookup word."""
    words = [(beginning, _longest_word(beginning)) for beginning in beginnings]
    return [(beginning, word[:_HEAD], f"\n{word}") for beginning, word in words]


@functools.cache
def _parts(rows: Rows) -> list[tuple[str, bytes, str]]:
    """Each row's pattern with each of its parts and the part's lookup word."""
    parts = [(part, pattern) for called, pattern in rows for part in called.split("|")]
    return [(pattern, part.encode(), _longest_word(part)) for part, pattern in parts]


def _longest_word(part: str) -> str:
    return max(compiled(_WORD).findall(part), key=len, default="")
