"""The words that a text holds at all: of some 300 fixed parts that could call for a pattern, most are in no text."""

from shared.secrets.values import compiled

_WORD = r"%[0-9A-Fa-f]{2}|\[[0-9;]{1,12}m|[A-Za-z0-9_-]+"
"""Words of which a key is made; an escape of an address or a terminal is none of theirs."""
_START = 3
"""Characters of a word by which it is looked up."""


class Vocabulary:
    """What of a text's words is asked for again and again; a part that is in the text is always told to be."""

    def __init__(self, text: str) -> None:
        words = set(compiled(_WORD).findall(text))
        words |= {word[1:] for word in words if word[0] in "nrtbf"} | {word[5:] for word in words if word[0] == "u"}
        self._words = words  # also without what may be the letters of an escape of JSON
        self._joined = "\n".join(words)
        self._starts = {word[:length] for word in words for length in range(1, _START + 1)}
        self._text = text

    def has_word(self, program: str) -> bool:
        """Whether a program's name, up to its first dot, is a word."""
        return program.partition(".")[0] in self._words

    def has_start(self, beginning: str) -> bool:
        """Whether a word begins as `beginning` does."""
        match = compiled(r"[A-Za-z0-9_-]+").match(beginning)
        return match is None or match[0][:_START] in self._starts

    def has_any(self, parts: str) -> bool:
        """Whether the text holds one of `parts`, which `|` separates."""
        return any(self._has(part) for part in parts.split("|"))

    def _has(self, part: str) -> bool:
        longest = max(compiled(r"[A-Za-z0-9_-]*").findall(part), key=len)
        return longest in self._joined and (longest == part or part in self._text)
