"""A file of settings as the tables that it holds, or as nothing and the reason why."""

import tomllib
from typing import Any

from shared.text.plain import plain

LIMIT = 1 << 20
PROJECT_LIMIT = 64 << 10
"""Bytes of a file: the person's own, and one that comes with a repository."""
_MARK = b"\xef\xbb\xbf"  # some editors begin with it
MOST_DOTS = 16
"""Dots in a line of a repository's file: the parser's time grows with the square of a name's length."""


def values(descriptor: int, path: str, problems: list[str], *, is_trusted: bool = True) -> dict[str, Any]:
    """Read and close `descriptor`; what is wrong with it is added to `problems`, which name `path`."""
    limit = LIMIT if is_trusted else PROJECT_LIMIT
    try:
        with open(descriptor, "rb") as file:
            text = file.read(limit + 1)
        _check(text, limit, is_trusted=is_trusted)
        return parsed(text)
    except (OSError, ValueError) as problem:
        problems.append(f"{path}: {plain(str(problem))}")
    return {}


def parsed(text: bytes) -> dict[str, Any]:
    """The tables of a document. Raises ValueError, which says where it is broken."""
    try:
        return tomllib.loads(text.removeprefix(_MARK).decode())
    except UnicodeDecodeError:
        raise ValueError("is not UTF-8") from None
    except RecursionError:
        raise ValueError("is nested too deeply") from None


def _check(text: bytes, limit: int, *, is_trusted: bool) -> None:
    """Raise ValueError for too much, and for a name of so many parts that parsing it takes seconds."""
    if len(text) > limit:
        raise ValueError(f"is larger than {limit >> 10} KiB")
    if is_trusted:
        return
    for number, line in enumerate(text.split(b"\n"), 1):
        if line.count(b".") > MOST_DOTS and not line.lstrip().startswith(b"#"):
            raise ValueError(f"is nested too deeply (at line {number})")
