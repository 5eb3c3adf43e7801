"""How many tokens a text takes, and how much of a message fits into a budget."""

import re
from collections.abc import Callable, Sequence

import msgspec

_TOKENS = re.compile(r"[A-Z]?[a-z]{1,6}|[A-Z]{1,3}|[0-9]{1,3}|[^ ]")
"""One token each: six letters of a word, with a capital before them, three capitals, three digits, any other sign but
a blank."""
MARK = "(shortened; see the checkpoint)"
MOST_CHARACTERS = 8
"""Characters of a token at most, as `tokens` counts: a capital, six letters and the blank behind them."""
_FEWEST = 12
"""Characters of an item that are worth showing."""


class Section(msgspec.Struct, frozen=True):
    """One part of a message: a label and its items, the most useful first; those that don't fit are counted."""

    label: str
    items: Sequence[str]
    total: int = 0
    """How many items there are; as many as are given, when that is more."""
    keeps_end: bool = False
    """Whether an item that is cut keeps its end, as a path does."""


def tokens(text: str) -> int:
    """An upper estimate: no tokenizer is at hand, and characters/4 falls short for paths and commands.

    Holds for what cl100k and o200k count of those, of prose, hexadecimal ids and other scripts.
    """
    pieces = _TOKENS.findall(text)
    # A character beyond ASCII takes one token less than bytes.
    beyond = sum(len(piece.encode("utf-8", "replace")) - 2 for piece in pieces if not piece.isascii())
    return len(pieces) + beyond + 1


def composed(head: str, sections: Sequence[Section], foot: str, budget: int, safe: Callable[[str], str]) -> str:
    """`head`, as much of each of the `sections` as fits into `budget` tokens, and `foot`; a mark where one is cut.

    The sections come in order of use. First each shows an item, cut where it would take room from those behind it;
    then the room that is left goes to whatever fits, in turn, and what is needed most comes first.
    """
    room = budget - tokens(head + "\n") - tokens(foot) - tokens(MARK + "\n")
    parts = [section for section in sections if section.items]
    chosen: list[list[str]] = [[] for _ in parts]
    costs = [0] * len(parts)
    """Tokens of each part's line, with its end."""

    def grow(number: int, most: int) -> bool:
        before = chosen[number]
        chosen[number] = _grown(parts[number], before, most + costs[number], safe)
        costs[number] = tokens(_line(parts[number], chosen[number], safe) + "\n") if chosen[number] else 0
        return chosen[number] != before

    for number in range(len(parts)):
        grow(number, (room - sum(costs)) // (len(parts) - number))
    growing = list(range(len(parts)))
    while growing:
        growing = [number for number in growing if grow(number, room - sum(costs))]
    mark = "" if chosen == [list(part.items) for part in parts] else MARK
    lines = (_line(part, items, safe) for part, items in zip(parts, chosen, strict=True) if items)
    return "\n".join(text for text in (head, *lines, mark, foot) if text)


def _line(section: Section, items: list[str], safe: Callable[[str], str]) -> str:
    more = max(section.total, len(section.items)) - len(items)
    return f"{section.label}: {'; '.join([*map(safe, items), *([f'{more} more'] if more else [])])}"


def _grown(section: Section, items: list[str], most: int, safe: Callable[[str], str]) -> list[str]:
    """`items` with one more, or with more of the first, the only one that may be cut, in at most `most` tokens."""
    whole = len(items) if items[:1] == list(section.items[:1]) else 0
    if whole == len(section.items):
        return items
    item = section.items[whole]
    length, grown = len(item), [*items[:whole], item]
    while tokens(_line(section, grown, safe) + "\n") > most:
        length = length * 9 // 10
        if whole or length < _FEWEST:
            return items
        grown = [f"\u2026{item[len(item) - length :]}" if section.keeps_end else f"{item[:length]}\u2026"]
    return grown
