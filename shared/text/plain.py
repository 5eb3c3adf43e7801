"""Foreign text made safe to show: free of control characters, on one line, bounded, and unable to pose as ours."""

import functools
import unicodedata
from collections.abc import Iterator

_HARMFUL = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
IGNORABLE = (
    ("\u034f", "\u034f"), ("\u115f", "\u1160"), ("\u17b4", "\u17b5"), ("\u180b", "\u180f"), ("\u2800", "\u2800"),
    ("\u3164", "\u3164"), ("\ufe00", "\ufe0f"), ("\uffa0", "\uffa0"), ("\ufff0", "\ufff8"),
    ("\U000e0000", "\U000e0fff"),
)  # fmt: skip
"""Ranges of other characters drawn as nothing (Unicode's Default_Ignorable_Code_Point) or as a blank."""
GAP = " [\u2026] "
"""Replaces the middle of a text."""
_JOINERS = "\u200c\u200d"
_FIRST_WITH_VARIANTS, _KEYCAP = "\u1800", "\u20e3"
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})


def plain(text: str, longest: int = 200) -> str:
    """`text` without escape sequences, control and bidirectional characters, cut at `longest` characters."""
    if "\x1b" in text or "\x9b" in text:
        text = _without_sequences(text[: 4 * longest])
    if text.isascii():
        text = text[:longest]
        return text if text.isprintable() else "".join(c for c in text if c.isprintable())
    return "".join(_visible(text[:longest]))


def escaped(text: str) -> str:
    """`text` escaped so that it can neither close a tag of ours nor open one."""
    return text.translate(_ESCAPES)


def untagged(text: str) -> str:
    """`text` changed so that it opens no tag, with commands left legible; for places without tags of ours."""
    return text.replace("<", "\u2039")


def one_line(text: str, longest: int) -> str:
    """`text` on one line without control characters, cut with an ellipsis."""
    line = plain(" ".join(text[: 4 * longest].split()), 4 * longest)
    return line if len(line) <= longest else line[: longest - 1].rstrip() + "\u2026"


def elide(text: str, longest: int) -> str:
    """`text` without its middle: the beginning says what it is about, and the end what it must not be."""
    if len(text) <= longest:
        return text
    end = longest // 3
    return text[: longest - end] + GAP + text[-end:]


def code(text: str, longest: int) -> str:
    """`text` on one line between backticks, which it can't close; empty for an empty text."""
    return f"`{one_line(text, longest).replace('`', chr(0x2019))}`" if text else ""


def whole_seconds(timestamp: str) -> str:
    """A foreign ISO 8601 time without its fraction and zone, such as `2026-01-05T09:00:00`."""
    return one_line(timestamp[:19], 19)


def name_end(name: str, longest: int) -> str:
    """The end of a foreign name; in backticks if its characters are unusual, so that none reads as our sentence."""
    end = path_end(name, longest)
    is_plain = all(character.isalnum() or character in "._/\\@+~%=#-\u2026" for character in end)
    return end if is_plain else f"`{end.replace('`', chr(0x2019))}`"


def path_end(path: str, longest: int) -> str:
    """The end of a path, cut at the front because the end says more."""
    line = plain(path, 4096)
    return line if len(line) <= longest else "\u2026" + line[-(longest - 1) :]


def _visible(text: str) -> Iterator[str]:
    """Yield the visible characters of `text`, each with at most one that changes how it is drawn."""
    before, ignorable, variants = "", _ignorable(), _variants()
    for character, after in zip(text, [*text[1:], ""], strict=True):
        if character in _JOINERS:
            is_kept = before > "\x7f" and before not in _JOINERS
        elif character in variants:
            is_kept = before >= _FIRST_WITH_VARIANTS and before not in _JOINERS and before not in variants
            is_kept = is_kept or after == _KEYCAP
        else:
            is_kept = unicodedata.category(character) not in _HARMFUL and character not in ignorable
        if is_kept:
            before = character
            yield character


@functools.cache
def _ignorable() -> frozenset[str]:
    return frozenset(chr(code) for first, last in IGNORABLE for code in range(ord(first), ord(last) + 1))


@functools.cache
def _variants() -> frozenset[str]:
    """Variation selectors: without these and joiners, emoji and some scripts are drawn wrongly."""
    return frozenset(map(chr, (*range(0x180B, 0x180E), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))


def _without_sequences(text: str) -> str:
    """`text` without a terminal's escape sequences: colours, links, titles."""
    import re  # noqa: PLC0415  few names hold one

    control = r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?"
    command = r"\x1b[\]PX^_][^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?"
    return re.sub(f"{control}|{command}", "", text)
