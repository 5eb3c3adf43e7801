"""The reader of a settings file: its tables, or nothing and the reason."""

import tomllib
from typing import Any

from shared.text.plain import plain

LIMIT = 1 << 20
PROJECT_LIMIT = 64 << 10
"""The most bytes of a file: the person's own, and one that comes with a repository."""
_MARK = b"\xef\xbb\xbf"  # some editors begin a file with it
MOST_DOTS = 16
"""The most dots in a line of a repository's file: parsing time grows with the square of a name's parts."""


def values(descriptor: int, path: str, problems: list[str], *, is_trusted: bool = True) -> dict[str, Any]:
    """Read the tables from `descriptor` and close it; an error is added to `problems` with `path`."""
    limit = LIMIT if is_trusted else PROJECT_LIMIT
    try:
        with open(descriptor, "rb") as file:
            text = file.read(limit + 1)
        _check(text, limit, is_trusted=is_trusted)
        return parse(text)
    except (OSError, ValueError) as problem:
        problems.append(f"{path}: {plain(str(problem))}")
    return {}


def parse(text: bytes) -> dict[str, Any]:
    """Parse the tables of a document. Raises ValueError, which says where it is broken."""
    try:
        return tomllib.loads(text.removeprefix(_MARK).decode())
    except UnicodeDecodeError:
        raise ValueError("is not UTF-8") from None
    except RecursionError:
        raise ValueError("is nested too deeply") from None


def _check(text: bytes, limit: int, *, is_trusted: bool) -> None:
    """Raise ValueError for a document that is too large, or a name of so many parts that parsing takes seconds."""
    if len(text) > limit:
        raise ValueError(f"is larger than {limit >> 10} KiB")
    if is_trusted:
        return
    for number, line in enumerate(text.split(b"\n"), 1):
        if line.count(b".") > MOST_DOTS and not line.lstrip().startswith(b"#"):
            raise ValueError(f"is nested too deeply (at line {number})")
