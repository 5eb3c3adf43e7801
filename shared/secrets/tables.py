"""The rules that are lists, from `tables.txt`, which explains the rows of each section."""

import functools
import os
import re

_PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "tables.txt")
_ARROW = " -> "
_BLANK = "␣"
"""The character for a blank that would be invisible."""
_FRAGMENT = re.compile(r"\{([A-Z][A-Z0-9_]*)\}")

Rows = tuple[tuple[str, str], ...]
"""Each row's trigger (a word, a part or a name) and its pattern."""


@functools.cache
def words(section: str) -> frozenset[str]:
    """The words of a section with several words per line."""
    return frozenset(" ".join(_sections()[section]).split())


@functools.cache
def rows(section: str) -> Rows:
    """The rows of a section; in a row without an arrow, the trigger is the whole pattern."""
    return tuple(
        (called, _whole(pattern) if arrow else re.escape(called)) for called, arrow, pattern in _parts(section)
    )


@functools.cache
def by_word(section: str) -> dict[str, list[str]]:
    """The patterns of a section by trigger word; a row may have several words."""
    result: dict[str, list[str]] = {}
    for called, pattern in rows(section):
        for word in called.split():
            result.setdefault(word, []).append(pattern)
    return result


def _whole(pattern: str) -> str:
    return _FRAGMENT.sub(lambda match: _fragment(match[1]), pattern)


@functools.cache
def _fragment(name: str) -> str:
    """The pattern for a name in braces."""
    return _whole({called: pattern for called, _, pattern in _parts("fragments")}[name])


def _parts(section: str) -> list[tuple[str, str, str]]:
    return [line.replace(_BLANK, " ").partition(_ARROW) for line in _sections()[section]]


@functools.cache
def _sections() -> dict[str, list[str]]:
    """The lines of each section without comments, each joined with its continuation lines."""
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
