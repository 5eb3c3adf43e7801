"""The words that a text holds at all: of some 300 fixed parts that could call for a pattern, most are in no text."""

import bisect
import functools
import itertools
import re
from collections.abc import Mapping

from shared.secrets.values import compiled

_WORD = r"%[0-9A-Fa-f]{2}|\[[0-9;]{1,12}m|[A-Za-z0-9_-]+[ -$&-Z\\-~]?"
"""Words of which a key is made, with a sign behind; an escape of an address or a terminal is none of theirs."""


class Vocabulary:
    """What of a text's words is asked for again and again; a part that is in the text is always told to be."""

    def __init__(self, text: str) -> None:
        words = set(compiled(_WORD).findall(text))
        words |= {word[1:] for word in words if word[0] in "nrtbf"} | {word[5:] for word in words if word[0] == "u"}
        self._ordered = sorted(words)  # also without what may be the letters of an escape of JSON
        self._data = text.encode("utf-8", "surrogatepass")  # in which a part is found in half the time

    def has_start(self, beginning: str) -> bool:
        """Whether a word begins as the first or the longest of `beginning` does."""
        start = _longest_word(beginning)
        at = bisect.bisect_left(self._ordered, start)
        return at < len(self._ordered) and self._ordered[at].startswith(start)

    def has_word(self, program: str) -> bool:
        """Whether a program's name stands before a space, or an escape of JSON for one."""
        return self.has_start(f"{program} ") or self.has_start(f"{program}\\")

    def called_for(self, *tables: Mapping[str, str]) -> list[list[str]]:
        """Of each table the patterns of whose parts, which `|` separates, the text holds one."""
        joined = "\n".join(self._ordered)
        places = occurrences(_pieces(tuple(itertools.chain(*tables))), joined)
        held = "\n".join({joined[start:end] for start, end in places})
        return [[table[parts] for parts in table if self._holds(parts, held)] for table in tables]

    def _holds(self, parts: str, held: str) -> bool:
        return any(
            piece in held and (piece == part or part.encode() in self._data) for part, piece in _with_pieces(parts)
        )


def lowered(text: str) -> str:
    """`text` in small letters, as long as it is: a few capital letters have small ones that are longer."""
    small = text.lower()
    return small if len(small) == len(text) else "".join(c.lower() if c.isascii() else c for c in text)


def occurrences(words: frozenset[str], text: str) -> list[tuple[int, int]]:
    """Where each of `words`, whose first character is itself, begins and ends in a text, in order."""
    matches = (match for pattern in _by_letter(words) for match in pattern.finditer(text))
    return sorted((match.start(), match.end(1)) for match in matches)


@functools.cache
def _by_letter(words: frozenset[str]) -> list[re.Pattern[str]]:
    """A pattern for each first letter, which is searched for many times faster than all words in one pattern."""
    groups = itertools.groupby(sorted(words, reverse=True), key=lambda word: word[0])
    return [re.compile(f"{letter}(?=({'|'.join(word[1:] for word in group)}))") for letter, group in groups]


@functools.cache
def _pieces(parts: tuple[str, ...]) -> frozenset[str]:
    words = {_longest_word(part) for some in parts for part in some.split("|")} - {""}
    return frozenset(word[0] + re.escape(word[1:]) for word in words)


@functools.cache
def _with_pieces(parts: str) -> list[tuple[str, str]]:
    return [(part, _longest_word(part)) for part in parts.split("|")]


@functools.cache
def _longest_word(part: str) -> str:
    return max(compiled(_WORD).findall(part), key=len, default="")
