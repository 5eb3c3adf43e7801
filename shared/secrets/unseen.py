"""What stands within a word and isn't seen: a terminal's colours, marks of no width. Where a text is shown it goes.

A key in which it stands is no key by any rule, and whole again on the screen, or in a text that was made fit for one.
"""

import itertools
from bisect import bisect_right
from typing import NamedTuple

from shared.secrets.values import compiled

_SIGNS = (
    "\x00-\x08\x0e-\x1f\x7f-\x9f\xad\u0600-\u0605\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
    "\ufff9-\ufffb\U000e0000-\U000e007f"
)
_ESCAPE = r"(?<!\\)\\u00(?:0[0-7bef]|1[0-9a-f]|7f)"
"""One of these as JSON has it."""
_START = r"(?:\x1b|(?<!\\)\\u001b)"
_UNSEEN = (
    rf"(?<=\S)(?:(?:{_START}\[|\x9b)[0-9;?]{{0,24}}[A-Za-z]|{_START}\][^\s\x07\\]{{0,400}}(?:\x07|\\u0007|\x1b\\)"
    rf"|[{_SIGNS}]|{_ESCAPE})+(?=\S)"
)


class Seen(NamedTuple):
    """A text without it."""

    text: str
    places: list[int]
    """Where in this text something was taken out, in order."""
    taken: list[int]
    """How many characters were, up to each of these places."""

    def place(self, offset: int) -> int:
        """Where in the whole text the character stands that is at `offset` of this one."""
        number = bisect_right(self.places, offset)
        return offset + (self.taken[number - 1] if number else 0)


def seen(text: str) -> Seen | None:
    """What is seen of `text`; None where that is all of it."""
    may_be = "\\u00" in text or compiled(f"[{_SIGNS}]").search(text)  # nearly always not
    cut = [match.span() for match in compiled(_UNSEEN).finditer(text)] if may_be else []
    if not cut:
        return None
    taken = [*itertools.accumulate(end - start for start, end in cut)]
    places = [start - before for (start, _), before in zip(cut, [0, *taken], strict=False)]
    bounds = zip([0, *(end for _, end in cut)], [*(start for start, _ in cut), len(text)], strict=True)
    return Seen("".join(text[start:end] for start, end in bounds), places, taken)
