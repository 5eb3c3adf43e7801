"""Sets of words, written as plain text."""


def word_set(text: str) -> frozenset[str]:
    return frozenset(text.split())
