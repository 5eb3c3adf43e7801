"""Invisible characters: a terminal's colours, zero-width marks in a word. `shared.text.plain` removes them.

A key with one of them in it matches no rule, but is whole again on the screen, or in a text that was made plain.
"""

import itertools
from bisect import bisect_right
from typing import NamedTuple

from shared.secrets.values import compiled
from shared.text.plain import IGNORABLE

_SIGNS = "".join(f"{first}-{last}" for first, last in IGNORABLE) + (
    "\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\xad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\ud800-\uf8ff\ufeff\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e007f\U000f0000-\U0010ffff"
)
"""All characters that `plain` removes, except spaces; regular expressions can't name its Unicode categories."""
_PLAIN = r"[\t\n\r -~]+"
"""Taken out first, as the signs are searched for ten times faster in what is left."""
_ESCAPE = r"(?<!\\)\\u00(?:0[0-7bef]|1[0-9a-f]|7f)"
"""JSON's escape for one of these."""
_START = r"(?:\x1b|(?<!\\)\\u001b)"
_SEQUENCE = rf"(?:{_START}\[|\x9b)[0-9;?]{{0,24}}[A-Za-z]|{_START}\][^\s\x07\\]{{0,400}}(?:\x07|\\u0007|\x1b\\)"
_INVISIBLE = rf"(?:{_SEQUENCE})+|(?<=\S)(?:{_SEQUENCE}|[{_SIGNS}]|{_ESCAPE})+(?=\S)"
"""An escape sequence anywhere, since programs colour a value after a blank; a character inside a word."""


class VisibleText(NamedTuple):
    """A text without its invisible characters."""

    text: str
    places: list[int]
    """The offsets in this text at which something was removed, in order."""
    removed: list[int]
    """The number of characters removed up to each of these places."""

    def place(self, offset: int) -> int:
        """The offset in the original text of the character at `offset` in this one."""
        number = bisect_right(self.places, offset)
        return offset + (self.removed[number - 1] if number else 0)


def visible_part(text: str) -> VisibleText | None:
    """The visible part of `text`; None if all of it is visible."""
    if "\\u00" not in text and not compiled(f"[{_SIGNS}]").search(compiled(_PLAIN).sub("", text)):
        return None  # nearly always
    cut = [match.span() for match in compiled(_INVISIBLE).finditer(text)]
    if not cut:
        return None
    removed = [*itertools.accumulate(end - start for start, end in cut)]
    places = [start - before for (start, _), before in zip(cut, [0, *removed], strict=False)]
    bounds = zip([0, *(end for _, end in cut)], [*(start for start, _ in cut), len(text)], strict=True)
    return VisibleText("".join(text[start:end] for start, end in bounds), places, removed)
