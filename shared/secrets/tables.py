"""The rules that are lists: `tables.txt`, which says at each of its sections what a row means."""

import functools
import os
import re

_PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "tables.txt")
_ARROW = " -> "
_BLANK = "␣"
"""What a blank is written as where nobody would see it."""
_FRAGMENT = re.compile(r"\{([A-Z][A-Z0-9_]*)\}")

Rows = tuple[tuple[str, str], ...]
"""What calls for a pattern, and the pattern."""


@functools.cache
def words(section: str) -> frozenset[str]:
    """The words of a section that has several in a line."""
    return frozenset(" ".join(_sections()[section]).split())


@functools.cache
def rows(section: str) -> Rows:
    """The rows of a section; where there is no arrow, what calls for a pattern is all of it."""
    return tuple(
        (called, _whole(pattern) if arrow else re.escape(called)) for called, arrow, pattern in _parts(section)
    )


@functools.cache
def by_word(section: str) -> dict[str, list[str]]:
    """The patterns of a section in which several words call for one, by each of them."""
    result: dict[str, list[str]] = {}
    for called, pattern in rows(section):
        for word in called.split():
            result.setdefault(word, []).append(pattern)
    return result


def _whole(pattern: str) -> str:
    return _FRAGMENT.sub(lambda match: _fragment(match[1]), pattern)


@functools.cache
def _fragment(name: str) -> str:
    """What a name in braces stands for."""
    return _whole({called: pattern for called, _, pattern in _parts("fragments")}[name])


def _parts(section: str) -> list[tuple[str, str, str]]:
    return [line.replace(_BLANK, " ").partition(_ARROW) for line in _sections()[section]]


@functools.cache
def _sections() -> dict[str, list[str]]:
    """The lines of each section, without comments, and each with those that go on with it."""
    result: dict[str, list[str]] = {}
    lines: list[str] = []
    with open(_PATH, encoding="utf-8") as file:
        for line in file.read().split("\n"):
            if line.startswith("[") and line.endswith("]"):
                lines = result.setdefault(line[1:-1], [])
            elif line.startswith(" "):
                lines[-1] += line.lstrip(" ")
            elif line and not line.startswith("#"):
                lines.append(line)
    return result
