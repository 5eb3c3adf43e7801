"""Estimate the tokens of a text, and fit a message into a budget of tokens."""

import re
from collections.abc import Callable, Sequence

import msgspec

_TOKENS = re.compile(r"[A-Z]?[a-z]{1,6}|[A-Z]{1,3}|[0-9]{1,3}|[^ ]")
"""One token each: up to six letters of a word with a capital before them, three capitals, three digits, any other
character but a space."""
MARK, UNSAVED_MARK = "(shortened; see the checkpoint)", "(shortened)"
MOST_CHARACTERS = 8
"""The most characters in a token, as `tokens` counts: a capital, six letters and the space after them."""
_FEWEST = 12
"""The fewest characters of an item that are worth showing."""


class Section(msgspec.Struct, frozen=True):
    """A part of a message: a label and its items, the most useful first; items that don't fit are counted."""

    label: str
    items: Sequence[str]
    total: int = 0
    """The number of all items; that of `items` if larger."""
    keeps_end: bool = False
    """Whether an item that is cut keeps its end, as a path must."""


def tokens(text: str) -> int:
    """An upper estimate of a text's tokens: there is no tokenizer, and characters/4 is too low for paths and commands.

    It holds for cl100k and o200k, with paths, commands, prose, hexadecimal ids and other scripts.
    """
    pieces = _TOKENS.findall(text)
    # A character beyond ASCII takes one token less than bytes.
    beyond = sum(len(piece.encode("utf-8", "replace")) - 2 for piece in pieces if not piece.isascii())
    return len(pieces) + beyond + 1


def compose(
    head: str, sections: Sequence[Section], foot: str, budget: int, safe: Callable[[str], str], *, mark: str = MARK
) -> str:
    """Join `head`, as much of each of the `sections` as fits into `budget` tokens, `mark` if any is cut, and `foot`.

    The sections come in order of importance. First each shows one item, cut if it would take room from later sections;
    then the remaining room goes to whatever fits, section by section in the same order.
    """
    room = budget - tokens(head + "\n") - tokens(foot) - tokens(mark + "\n")
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
    is_whole = chosen == [list(part.items) for part in parts]
    lines = (_line(part, items, safe) for part, items in zip(parts, chosen, strict=True) if items)
    return "\n".join(text for text in (head, *lines, "" if is_whole else mark, foot) if text)


def _line(section: Section, items: list[str], safe: Callable[[str], str]) -> str:
    more = max(section.total, len(section.items)) - len(items)
    return f"{section.label}: {'; '.join([*map(safe, items), *([f'{more} more'] if more else [])])}"


def _grown(section: Section, items: list[str], most: int, safe: Callable[[str], str]) -> list[str]:
    """`items` with one more, or with more of the first, which alone may be cut, in at most `most` tokens."""
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
