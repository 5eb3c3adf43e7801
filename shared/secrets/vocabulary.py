"""The words that a text holds at all: of some 300 fixed parts that could call for a pattern, most are in no text."""

import bisect
import functools
import itertools
import re
from collections.abc import Mapping

from shared.secrets.values import compiled

_WORD = r"%[0-9A-Fa-f]{2}|\[[0-9;]{1,12}m|[A-Za-z0-9_-]+[ -$&-Z\\-~]?"
"""Words of which a key is made, with a sign behind; an escape of an address or a terminal is none of theirs."""
_HEAD = 2
"""Characters by which most beginnings are known to be in no word."""


class Vocabulary:
    """What of a text's words is asked for again and again; a part that is in the text is always told to be."""

    def __init__(self, text: str) -> None:
        words = set(compiled(_WORD).findall(text))
        words |= {word[1:] for word in words if word[0] in "nrtbf"} | {word[5:] for word in words if word[0] == "u"}
        self._ordered = sorted(words)  # also without what may be the letters of an escape of JSON
        self._data = text.encode("utf-8", "surrogatepass")  # in which a part is found in half the time

    def begun(self, beginnings: tuple[str, ...]) -> list[str]:
        """Those of `beginnings` as whose first or longest word one of the text's begins."""
        of_heads = _by_head(beginnings)
        heads = {word[:_HEAD] for word in self._ordered}
        return [one for head in of_heads.keys() & heads for one, word in of_heads[head] if self._has_start(word)]

    def called_for(self, *tables: Mapping[str, str]) -> list[list[str]]:
        """Of each table the patterns of whose parts, which `|` separates, the text holds one."""
        joined, every = "\n".join(self._ordered), tuple(itertools.chain(*tables))
        pieces = {"", *(joined[start:end] for start, end in occurrences(_pieces(every), joined))}
        held = set[str]()
        for parts, piece, part in {place for one in pieces for place in _by_piece(every)[one]}:
            if parts not in held and (piece == part or part.encode() in self._data):
                held.add(parts)
        return [[pattern for parts, pattern in table.items() if parts in held] for table in tables]

    def _has_start(self, word: str) -> bool:
        at = bisect.bisect_left(self._ordered, word)
        return at < len(self._ordered) and self._ordered[at].startswith(word)


def lowered(text: str) -> str:
    """`text` in small letters, as long as it is: a few capital letters have small ones that are longer."""
    small = text.lower()
    return small if len(small) == len(text) else "".join(c.lower() if c.isascii() else c for c in text)


def occurrences(words: frozenset[str], text: str) -> list[tuple[int, int]]:
    """Where each of `words`, whose first character is itself, begins and ends in a text, in order."""
    patterns = (pattern for letter, pattern in _by_letter(words) if letter in text)
    matches = (match for pattern in patterns for match in pattern.finditer(text))
    return sorted((match.start(), match.end(1)) for match in matches)


@functools.cache
def _by_letter(words: frozenset[str]) -> list[tuple[str, re.Pattern[str]]]:
    """A pattern for each first letter, which is searched for many times faster than all words in one pattern."""
    groups = itertools.groupby(sorted(words, reverse=True), key=lambda word: word[0])
    return [(letter, re.compile(f"{letter}(?=({'|'.join(word[1:] for word in group)}))")) for letter, group in groups]


@functools.cache
def _by_head(beginnings: tuple[str, ...]) -> dict[str, list[tuple[str, str]]]:
    """Each beginning with the word that is looked up for it, by how that begins."""
    result: dict[str, list[tuple[str, str]]] = {}
    for beginning in beginnings:
        word = _longest_word(beginning)
        result.setdefault(word[:_HEAD], []).append((beginning, word))
    return result


@functools.cache
def _pieces(parts: tuple[str, ...]) -> frozenset[str]:
    words = {_longest_word(part) for some in parts for part in some.split("|")} - {""}
    return frozenset(word[0] + re.escape(word[1:]) for word in words)


@functools.cache
def _by_piece(parts: tuple[str, ...]) -> dict[str, list[tuple[str, str, str]]]:
    """For each piece the parts that hold it or one within it, each with that piece and what it is a part of."""
    places = [(some, _longest_word(part), part) for some in parts for part in some.split("|")]
    return {
        piece: [place for place in places if place[1] in piece] for piece in {"", *(piece for _, piece, _ in places)}
    }


@functools.cache
def _longest_word(part: str) -> str:
    return max(compiled(_WORD).findall(part), key=len, default="")
