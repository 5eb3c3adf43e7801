"""How many tokens a text takes, and how much of what is to be said fits into a budget."""

import re
from collections.abc import Callable, Sequence

import msgspec

_RUNS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+|[^\x00-\x7f]|.", re.DOTALL)
MARK = "(cut at the budget: the checkpoint's file holds the rest)"


class Section(msgspec.Struct, frozen=True):
    """One thing to be said: a label and its items, the most useful first; those that don't fit are counted."""

    label: str
    items: Sequence[str]
    total: int = 0
    """How many items there are; as many as are given, when that is more."""

    def within(self, room: int, safe: Callable[[str], str]) -> tuple[str, bool]:
        """As many items as `room` tokens hold, made `safe`, and whether those are all; empty when none fits."""
        for count in range(len(self.items), 0, -1):
            text = self._text(count, safe)
            if tokens(text) <= room:
                return text, count == len(self.items)
        return "", not self.items

    def _text(self, count: int, safe: Callable[[str], str]) -> str:
        more = max(self.total, len(self.items)) - count
        shown = [safe(item) for item in self.items[:count]] + ([f"{more} more"] if more else [])
        return f"{self.label}: {'; '.join(shown)}"


def tokens(text: str) -> int:
    """An upper estimate: no tokenizer is at hand, and characters/4 falls short for paths and commands.

    Holds for what cl100k and o200k count of those, of prose, hexadecimal ids and other scripts.
    """
    return int(sum(_cost(run) for run in _RUNS.findall(text))) + 1


def composed(head: str, sections: Sequence[Section], foot: str, budget: int, safe: Callable[[str], str]) -> str:
    """`head`, as many of the `sections` as fit into `budget` tokens, and `foot`; a mark where one is cut.

    The sections come in order of use: once one doesn't fit whole, nothing after it is said.
    """
    body: list[str] = []
    room = budget - tokens(head + "\n") - tokens(foot) - tokens(MARK + "\n")
    for section in sections:
        text, is_whole = section.within(room, safe)
        body += [text] if text else []
        room -= tokens(text + "\n") if text else 0
        if not is_whole:
            body.append(MARK)
            break
    return "\n".join(part for part in (head, *body, foot) if part)


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
