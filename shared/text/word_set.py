"""Sets of words, written as plain text."""


def word_set(text: str) -> frozenset[str]:
    """The words of `text`, separated by white space."""
    return frozenset(text.split())
