"""Secrets in a table: the cells of columns with a telling heading, in CSV, Markdown, a terminal and SQL."""

from collections.abc import Iterator
from typing import NamedTuple

from shared.secrets import values, vocabulary
from shared.secrets.values import Span, compiled

_HEADING = (
    r"(?i)(?:\w{1,20}[ _-]){0,2}(?:(?P<word>passwor[dt]|passwd|pwd|passphrase|mot[ _]de[ _]passe|contraseña|wachtwoord)"
    r"|secret(?:[ _-](?:access[ _-])?key)?|(?:api|access|secret|private)[ _-]?key|token)"
)
_PARTS = frozenset({"word", "WORD", "wd", "WD", "sse", "ssphrase", "cret", "CRET", "key", "Key", "KEY", "ken", "KEN"})
"""Parts of such headings, each from its rarest letter on."""
_SEPARATORS = (",", ";", "|", "│", "\t", "  ")
_APART = r"\S+(?: \S+)*"
"""A cell in a table whose columns are separated by blanks."""
_AROUND = " \"'\\\r`*"
"""Characters around the text of a cell."""
_RULER = r"[\s|+:=─│┼├┤-]*"
_INSERT = r"(?i:insert into \S{1,80} ?)\((?P<names>[^()]{1,600})\)\s{1,20}(?i:values)\s{0,20}"
_ROW = r"\((?P<row>(?:'(?:[^'\"\\]|''|\\.){0,1000}'|[^()']|\([^()]{0,100}\)){1,1000})\),?\s{0,20}"
_FIELD = r"\s*('(?:[^']|'')*'|(?:[^,(']|\([^()]*\))+)\s*(?:,|\Z)"
_STRING_END = r"(?:[^\"\\]|\\.)*+(?:(?<=[^\s,;|│])\"|\"(?=\s?[}\]]))"
"""Text up to the end of a JSON string, where a table's last row ends: the first quote that begins no cell."""
_STRING_STARTS = (':"', ' "', '["')
"""The beginnings of a JSON string that is a value."""
_LONGEST_LINE = 2_000
_FEWEST = 2
"""The fewest columns of a table."""
_OF_WORD, _OF_TOKEN = 5, 10
"""The fewest characters of a password and of a token."""


class Table(NamedTuple):
    separator: str
    columns: int
    secrets: dict[int, int]
    """The indexes of the columns with secrets, and the fewest characters of a secret."""


def spans(text: str) -> Iterator[Span]:
    """Yield the secret cells below such headings. `text` has real line ends, at the original offsets."""
    yield from _inserted_secrets(text)
    reached = start = rows = end = 0
    line = ""
    for part, _ in vocabulary.occurrences(_PARTS, text):
        if part < reached:
            continue
        is_new = part >= end
        if is_new:
            start = text.rfind("\n", reached, part) + 1 or reached
            rows, line = _line(text, start)
            end = rows - 1
        reached, table = _table_in_string(text, max(start, part - _LONGEST_LINE), part, end)
        if is_new and not table and '":' not in line and (table := _heading(line)):  # a record's fields are no columns
            reached = rows
        if table:
            reached, cells = _secrets_below(text, reached, table)
            yield from cells


def _secrets_below(text: str, start: int, table: Table) -> tuple[int, list[Span]]:
    """The end of a table whose rows begin at `start`, and the secrets in its cells."""
    secrets: list[Span] = []
    while start < len(text):
        end, line = _line(text, start)
        cut = compiled(_STRING_END).match(line)
        row = line[: cut.end() - 1] if cut else line
        cells = _cells(row, start, table.separator) if len(row) <= _LONGEST_LINE else []
        if len(cells) == table.columns:
            secrets += (cells[at] for at, least in table.secrets.items() if _is_secret(cells[at], text, least))
        elif not (line and compiled(_RULER).fullmatch(line)) or len(line) > _LONGEST_LINE:
            break
        if cut:  # the string ends there; the next one may also have a table
            return start + cut.end(), secrets
        start = end
    return start, secrets


def _table_in_string(text: str, start: int, part: int, end: int) -> tuple[int, Table | None]:
    """The table whose heading begins a JSON string and contains `part`, in a line from `start` to `end`.

    It follows the offset of the table's rows; without a table, the offset at which the next heading may begin.
    """
    begin = max(text.rfind(mark, start, part) for mark in _STRING_STARTS) + 2
    quote = text.find('"', part, end)
    elsewhere = quote if quote >= 0 else end + 1
    if begin < start + 2:
        return elsewhere, None
    line = text[begin : min(end, begin + _LONGEST_LINE + 1)]
    if cut := compiled(_STRING_END).match(line):
        return max(elsewhere, begin + cut.end()), None
    table = _heading(line) if '\\":' not in line else None  # a record in a string
    return (end + 1, table) if table else (elsewhere, None)


def _line(text: str, start: int) -> tuple[int, str]:
    """The start of the next line, and the line at `start`, cut where it is too long anyway."""
    end = text.find("\n", start)
    end = end if end >= 0 else len(text)
    return end + 1, text[start : min(end, start + _LONGEST_LINE + 1)]


@values.cached_check
def _heading(line: str) -> Table | None:
    """The table that begins with the heading `line`; None if no column has secrets."""
    if len(line) > _LONGEST_LINE:
        return None
    for separator in (separator for separator in _SEPARATORS if separator in line):
        cells = [cell.strip(_AROUND) for cell in _split(line, separator)]
        is_heading = separator != "  " or all(cell[:1].isupper() for cell in cells[1:])
        if len(cells) >= _FEWEST and is_heading and all(len(cell) <= 40 for cell in cells):
            matches = [compiled(_HEADING).fullmatch(cell) for cell in cells]
            named = {number: _OF_WORD if match["word"] else _OF_TOKEN for number, match in enumerate(matches) if match}
            if named:
                return Table(separator, len(cells), named)
    return None


def _cells(line: str, at: int, separator: str) -> list[Span]:
    """The cells of a line that begins at `at`, without the characters around their text."""
    result, reached = [], 0
    for cell in _split(line, separator):
        start = line.index(cell, reached)
        reached = start + len(cell) + 1
        inner = cell.strip(_AROUND)
        start += at + cell.index(inner)
        is_half = inner[:1] == "/" and line[start - at - 1 : start - at] == "\\"  # of JSON's escape for a slash
        result.append(Span(start + is_half, start + len(inner)))
    return result


def _split(line: str, separator: str) -> list[str]:
    return line.split(separator) if separator.strip(" ") else compiled(_APART).findall(line)


def _inserted_secrets(text: str) -> Iterator[Span]:
    """Yield the values of such columns in SQL."""
    for match in compiled(_INSERT).finditer(text) if "nsert " in text or "NSERT " in text else ():
        names = [name.strip(" \"'`\\\n") for name in match["names"].split(",")]
        columns = [number for number, name in enumerate(names) if compiled(_HEADING).fullmatch(name)]
        row = compiled(_ROW).match(text, match.end()) if columns else None
        while row:
            fields = list(compiled(_FIELD).finditer(text, *row.span("row")))
            for field in (fields[number] for number in columns if number < len(fields)):
                span = Span(field.start(1) + 1, field.end(1) - 1)
                if field[1][0] == "'" and not values.is_placeholder(text[span.start : span.end]):
                    yield span
            row = compiled(_ROW).match(text, row.end())


def _is_secret(cell: Span, text: str, shortest: int) -> bool:
    """Whether a cell can be a secret: long enough, no placeholder, and mixed as no word is, or joined words."""
    secret = text[cell.start : cell.end]
    if len(secret) < shortest or " " in secret or values.is_placeholder(secret):
        return False
    return (shortest == _OF_WORD and values.is_distinctive(secret)) or values.is_mixed(secret)
