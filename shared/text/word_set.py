"""Lists of words, as they are written on a page."""


def word_set(text: str) -> frozenset[str]:
    """The words of `text`, which white space separates."""
    return frozenset(text.split())
