"""Text from outside, made safe for a terminal and for one line of a prompt."""

import unicodedata

_HARMFUL = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
_JOINERS = frozenset("\u200c\u200d")  # emoji and some scripts are drawn wrongly without them


def plain(text: str, longest: int = 200) -> str:
    """`text` without escape sequences, control and bidirectional characters, cut at `longest` characters."""
    if "\x1b" in text or "\x9b" in text:
        text = _without_sequences(text[: 4 * longest])
    if text.isascii():
        return "".join(c for c in text[:longest] if c.isprintable())
    return "".join(c for c in text[:longest] if c in _JOINERS or unicodedata.category(c) not in _HARMFUL)


def _without_sequences(text: str) -> str:
    """`text` without what a terminal would take for commands: colours, links, titles."""
    import re  # noqa: PLC0415  hardly any name holds one

    control = r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?"
    command = r"\x1b[\]PX^_][^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?"
    return re.sub(f"{control}|{command}", "", text)
