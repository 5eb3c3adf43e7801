"""Secrets in a table: the cells of a column whose heading says that they are, in CSV and in Markdown."""

from collections.abc import Iterator

from shared.secrets import values
from shared.secrets.values import Span, compiled

_HEADING = (
    r"(?i)(?:password|passwd|pwd|passphrase|secret(?:[ _-]key)?|(?:api|access|secret)[ _-]?key|(?:\w{1,20}[ _-])?token)"
)
_PARTS = ("assw", "pwd", "PWD", "assphrase", "ecret", "ECRET", "key", "Key", "KEY", "oken", "OKEN", "ASSW")
_SEPARATORS = (",", ";", "|", "\t")
_LONGEST_LINE = 2_000
_FEWEST, _SHORTEST = 2, 5
"""Columns of a table, characters of a secret in it."""


def spans(text: str) -> Iterator[Span]:
    """The cells below such headings. `text` has real line ends, and a secret has its place."""
    if "\n" not in text or not any(part in text for part in _PARTS):
        return
    separator, columns, count = "", [0], 0
    at = 0
    while at < len(text):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        line = text[at:end] if end - at <= _LONGEST_LINE else ""
        if separator and line.count(separator) == count:
            yield from _cells(line, at, separator, columns)
        else:
            separator, columns = _heading(line)
            count = line.count(separator) if separator else 0
        at = end + 1


def _heading(line: str) -> tuple[str, list[int]]:
    """What separates the columns of a table that begins with `line`, and which of them hold secrets."""
    for separator in _SEPARATORS if any(part in line for part in _PARTS) else ():
        cells = line.split(separator) if separator in line else []
        named = [number for number, cell in enumerate(cells) if compiled(_HEADING).fullmatch(cell.strip(" \"'\\"))]
        if len(cells) >= _FEWEST and named and all(len(cell) <= 40 for cell in cells):
            return separator, named
    return "", []


def _cells(line: str, at: int, separator: str, columns: list[int]) -> Iterator[Span]:
    cells = line.split(separator)
    for column in columns:
        cell = cells[column]
        secret = cell.strip(" \"'\\\r`*")
        if len(secret) >= _SHORTEST and " " not in secret and not values.stands_for_one(secret) and _is_odd(secret):
            start = at + sum(len(before) + 1 for before in cells[:column]) + cell.index(secret)
            yield Span(start, start + len(secret))


def _is_odd(secret: str) -> bool:
    return values.is_mixed(secret) and not values.is_identifier(secret)
