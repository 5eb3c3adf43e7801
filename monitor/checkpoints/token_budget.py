"""How many tokens a text takes, and how much of a message fits into a budget."""

import math
import re
from collections.abc import Callable, Sequence

import msgspec

_RUNS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+|[^\x00-\x7f]|.", re.DOTALL)
MARK = "(shortened; see the checkpoint)"
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


class _SectionLine:
    """The line of a section as it grows, item by item; only its first item may be cut."""

    def __init__(self, section: Section, safe: Callable[[str], str]) -> None:
        self._section, self._safe = section, safe
        self._shown: list[str] = []
        self.cost = 0
        """Tokens, with the end of the line."""

    @property
    def is_whole(self) -> bool:
        return self._shown == list(self._section.items)

    @property
    def text(self) -> str:
        more = max(self._section.total, len(self._section.items)) - len(self._shown)
        shown = [*map(self._safe, self._shown), *([f"{more} more"] if more else [])]
        return f"{self._section.label}: {'; '.join(shown)}" if self._shown else ""

    def grow(self, room: int) -> bool:
        """Show one item more, or more of the first, in at most `room` further tokens; whether there was room."""
        if self.is_whole:
            return False
        room, before = room + self.cost, self._shown
        items = self._section.items
        whole = len(before) if before[:1] == list(items[:1]) else 0
        item = items[whole]
        length = len(item)
        self._show([*before[:whole], item])
        while self.cost > room and whole == 0 and length >= _FEWEST:
            length = length * 9 // 10
            cut = f"\u2026{item[len(item) - length :]}" if self._section.keeps_end else f"{item[:length]}\u2026"
            self._show([cut])
        if self.cost > room or length < min(_FEWEST, len(item)) or self._shown == before:
            self._show(before)
            return False
        return True

    def _show(self, items: list[str]) -> None:
        self._shown = items
        self.cost = tokens(self.text + "\n") if items else 0


def tokens(text: str) -> int:
    """An upper estimate: no tokenizer is at hand, and characters/4 falls short for paths and commands.

    Holds for what cl100k and o200k count of those, of prose, hexadecimal ids and other scripts.
    """
    # fsum: 3.12 changed how sum() rounds, and with it where a text is cut
    return int(math.fsum(_cost(run) for run in _RUNS.findall(text))) + 1


def composed(head: str, sections: Sequence[Section], foot: str, budget: int, safe: Callable[[str], str]) -> str:
    """`head`, as much of each of the `sections` as fits into `budget` tokens, and `foot`; a mark where one is cut.

    The sections come in order of use. First each shows an item, cut where it would take room from those behind it;
    then the room that is left goes to whatever fits, in turn, and what is needed most comes first.
    """
    room = budget - tokens(head + "\n") - tokens(foot) - tokens(MARK + "\n")
    lines = [_SectionLine(section, safe) for section in sections if section.items]

    def left() -> int:
        return room - sum(line.cost for line in lines)

    for number, line in enumerate(lines):
        line.grow(left() // (len(lines) - number))
    growing = lines
    while growing:
        growing = [line for line in growing if line.grow(left())]
    mark = "" if all(line.is_whole for line in lines) else MARK
    return "\n".join(text for text in (head, *(line.text for line in lines), mark, foot) if text)


def _cost(run: str) -> float:
    """What a run of one kind of character takes: words are known whole, the rest piece by piece."""
    first, length = run[0], len(run)
    if not first.isascii():
        return len(run.encode("utf-8", "replace")) * (0.75 if ord(first) > 0xFFFF else 0.5)
    if first.isdigit():
        return (length + 2) // 3
    if run[-1].islower():
        return 1 + max(0, length - 5) * 0.25
    if first.isalpha():
        return 1 + max(0, length - 2) * 0.4
    return 0.1 if first == " " else 0.9
