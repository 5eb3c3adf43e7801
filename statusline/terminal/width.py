"""The width of text on a terminal, in columns, and our own non-ASCII characters, each of which takes one."""

ASCII = {"█": "#", "░": "-", "·": "|", "…": "~", "↻": "reset "}
"""ASCII replacements for our own characters."""
_TO_ASCII = str.maketrans(ASCII)
_FIRST_COMBINING = "\u0300"
"""Printable characters before it are one column wide, as are our own; for others the library decides."""


def to_ascii(text: str) -> str:
    return text if text.isascii() else text.translate(_TO_ASCII).encode("ascii", "replace").decode()


def columns(text: str) -> int:
    narrow = text if text.isascii() else text.translate(_TO_ASCII)
    if narrow.isascii() or max(narrow) < _FIRST_COMBINING:
        return len(text)
    import wcwidth  # noqa: PLC0415  25 ms, needed only for characters whose width takes a table

    total = wcwidth.wcswidth(text)
    return total if total >= 0 else sum(max(0, wcwidth.wcwidth(c)) for c in text)


def cut(text: str, limit: int) -> str:
    """`text` cut to `limit` columns, with an ellipsis if anything was cut."""
    if columns(text) <= limit:
        return text
    head = text[: max(0, limit - 1)]
    while head and columns(head) > limit - 1:
        head = head[:-1]
    return head + "…" if limit > 0 else ""
