"""Our own characters beyond ASCII: all are one column wide, and each has its ASCII stand-in."""

ASCII = {
    "█": "#",
    "░": "-",
    "·": "|",
    "…": "~",
    "↻": "reset ",
}
TO_ASCII = str.maketrans(ASCII)


def to_ascii(text: str) -> str:
    return text if text.isascii() else text.translate(TO_ASCII).encode("ascii", "replace").decode()
