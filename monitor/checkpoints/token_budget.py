"""How many tokens a text takes, and how much of what is to be said fits into a budget."""

import re
from collections.abc import Callable, Sequence

import msgspec

_RUNS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+|[^\x00-\x7f]|.", re.DOTALL)
MARK = "(cut at the budget: the checkpoint's file holds the rest)"
_FEWEST = 12
"""Characters of an item that are worth showing."""


class Section(msgspec.Struct, frozen=True):
    """One thing to be said: a label and its items, the most useful first; those that don't fit are counted."""

    label: str
    items: Sequence[str]
    total: int = 0
    """How many items there are; as many as are given, when that is more."""

    keeps_end: bool = False
    """Whether an item that is cut keeps its end, as a path does."""


class _Shown:
    """What is shown of a section: its first `count` items, the first of them maybe cut."""

    def __init__(self, section: Section, safe: Callable[[str], str]) -> None:
        self._section, self._safe = section, safe
        self.count, self.is_open = 0, bool(section.items)
        self._first = ""

    @property
    def is_whole(self) -> bool:
        items = self._section.items
        return self.count == len(items) and (not items or self._first == items[0])

    def begin(self, room: int) -> None:
        """Show the first item, cut so that it fits into `room` tokens; nothing where hardly any of it would."""
        whole = self._section.items[0]
        self.count = 1
        fits, too_long = 0, len(whole) + 1
        while too_long - fits > 1:
            length = (fits + too_long) // 2
            self._first = self._cut(length)
            fits, too_long = (length, too_long) if self.cost <= room else (fits, length)
        self._first = self._cut(fits)
        if fits < min(_FEWEST, len(whole)):
            self.count = 0

    def extend(self, room: int) -> int:
        """Show one item more if it fits into `room` further tokens, and return what it takes."""
        if self.is_whole:
            self.is_open = False
            return 0
        before, count, first = self.cost, self.count, self._first
        if self.count == 0 or self._first == self._section.items[0]:
            self.count += 1
        self._first = self._section.items[0]
        if self.cost - before > room:
            self.count, self._first, self.is_open = count, first, False
        return self.cost - before

    @property
    def cost(self) -> int:
        """Tokens, with the end of its line."""
        return tokens(self.text + "\n") if self.count else 0

    @property
    def text(self) -> str:
        items = self._section.items
        more = max(self._section.total, len(items)) - self.count
        shown = [self._safe(item) for item in (self._first, *items[1 : self.count])]
        return f"{self._section.label}: {'; '.join([*shown, *([f'{more} more'] if more else [])])}"

    def _cut(self, length: int) -> str:
        whole = self._section.items[0]
        if length >= len(whole):
            return whole
        return "\u2026" + whole[len(whole) - length :] if self._section.keeps_end else whole[:length] + "\u2026"


def tokens(text: str) -> int:
    """An upper estimate: no tokenizer is at hand, and characters/4 falls short for paths and commands.

    Holds for what cl100k and o200k count of those, of prose, hexadecimal ids and other scripts.
    """
    return int(sum(_cost(run) for run in _RUNS.findall(text))) + 1


def composed(head: str, sections: Sequence[Section], foot: str, budget: int, safe: Callable[[str], str]) -> str:
    """`head`, as much of each of the `sections` as fits into `budget` tokens, and `foot`; a mark where one is cut.

    The sections come in order of use. Each has a fair share for its first item, so that none takes the room of
    all others; what is left over goes to further items, one for each section in turn.
    """
    room = budget - tokens(head + "\n") - tokens(foot) - tokens(MARK + "\n")
    parts = [_Shown(section, safe) for section in sections if section.items]
    room = _begin(parts, room)
    while any(part.is_open for part in parts):
        for part in parts:
            room -= part.extend(room) if part.is_open else 0
    body = [part.text for part in parts if part.count]
    mark = "" if all(part.is_whole for part in parts) else MARK
    return "\n".join(line for line in (head, *body, mark, foot) if line)


def _begin(parts: list[_Shown], room: int) -> int:
    """Show the first item of each: the short ones whole, the others in equal shares. Returns the tokens left."""
    for part in parts:
        part.begin(room)
    short_first = sorted(parts, key=lambda part: part.cost)
    for number, part in enumerate(short_first):
        part.begin(room // (len(parts) - number))
        room -= part.cost
    return room


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
