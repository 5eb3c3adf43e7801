"""Text from outside, made safe for a terminal and for one line of a prompt."""

import unicodedata

_HARMFUL = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
_JOINERS = frozenset("\u200c\u200d")  # emoji and some scripts are drawn wrongly without them


def plain(text: str, longest: int = 200) -> str:
    """`text` without control, bidirectional and escape characters, cut at `longest` characters."""
    if text.isascii():
        return "".join(c for c in text[:longest] if c.isprintable())
    return "".join(c for c in text[:longest] if c in _JOINERS or unicodedata.category(c) not in _HARMFUL)
