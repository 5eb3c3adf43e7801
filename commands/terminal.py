"""A command's output: facts and tables as lines, coloured and folded on a terminal, plain in a pipe."""

import codecs
import json
import os
import re
import shlex
import shutil
import sys
import textwrap
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from history.questions.answer.sparkline import BLOCKS
from shared.text.plain import plain
from shared.text.report_row import ReportRow, label_cell
from statusline.terminal.width import columns as columns_of

_LONGEST = 2_000
_CODES = {"plain": "", "calm": "32", "notice": "33", "urgent": "1;31", "quiet": "2", "bold": "1"}
_LEAST = 50
"""Columns that a table's last cell needs next to the others; with fewer it goes under them."""
_SHORTEST = 20
"""Columns of a folded line, even on a narrower terminal."""
_UNUSUAL = re.compile(r"[^\n -~]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_NUMBER = re.compile(r"(?:<?\d[\d,.%kMdhms]*+(?: %| / |$))*+|-|n/a")
"""A count, a share, a duration, several of them, or none."""
_ASCII = {"\u2014": "-", "\u2013": "-", "…": "...", "→": "->", "·": "-", "≤": "<=", "≈": "~", "│": "|", "\u2019": "'"}
_ASCII |= dict(zip(BLOCKS, "_.-=+*%#", strict=True))


class TableRow(msgspec.Struct, frozen=True):
    """A row of a table; a row of one cell is a title above those that follow."""

    cells: Sequence[str]
    tone: str = "plain"
    """The first cell's tone, a key of _CODES."""


def is_coloured() -> bool:
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def width() -> int | None:
    """The terminal's columns; None if stdout is not a terminal, when no line is folded."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def painted(text: str, tone: str) -> str:
    code = _CODES[tone]
    return f"\033[{code}m{text}\033[0m" if text and code and is_coloured() else text


def safe(text: str) -> str:
    """Return `text`, which may have parts from outside, without what could control the terminal."""
    return plain(text, _LONGEST)


def shell_word(text: str) -> str:
    """Quote `text` for a command line to copy; what could control a terminal is escaped in `$'…'` (bash, zsh, fish)."""
    if plain(text, len(text)) == text:
        return shlex.quote(text)
    spelled = (
        f"\\{byte:03o}" if byte in b"\\'" or not 0x20 <= byte < 0x7F else chr(byte) for byte in os.fsencode(text)
    )
    return f"$'{''.join(spelled)}'"


def json_text(document: object) -> str:
    """Format a record or a dict as indented JSON; what isn't UTF-8 or could control the terminal is escaped."""
    text = json.dumps(msgspec.to_builtins(document), ensure_ascii=False, indent=2)
    text = _SURROGATE.sub(lambda match: f"\\\\u{ord(match[0]):x}", text)  # as text: JSON has no half surrogate pairs
    return _UNUSUAL.sub(lambda match: plain(match[0]) or json.dumps(match[0])[1:-1], text)


def print_result(document: object, lines: Iterable[str], *, as_json: bool) -> None:
    print(*([json_text(document)] if as_json else lines), sep="\n")


def facts(rows: Iterable[ReportRow], columns: int | None) -> Iterator[str]:
    """Yield rows of a label and a text; `columns` is the terminal's width, or None to fold no line."""
    for row in rows:
        cell = label_cell(row.label)
        for line in folded(safe(row.text), columns and columns - len(cell) - 2) or [""]:
            yield f"  {painted(cell, 'quiet')}{painted(line, row.tone)}".rstrip()
            cell = " " * len(cell)


def table(rows: Sequence[TableRow], columns: int | None) -> Iterator[str]:
    """Yield rows in columns, numbers to the right; `columns` is the terminal's width, or None to fold no line."""
    cells = [[safe(cell) for cell in row.cells] for row in rows]
    full = [row for row in cells if len(row) > 1]
    widths = [max(map(columns_of, column)) for column in zip(*full, strict=True)]
    numeric = [all(map(_NUMBER.fullmatch, column[1:])) for column in zip(*full, strict=True)]
    for row, texts in zip(rows, cells, strict=True):
        if len(texts) == 1:
            yield painted(texts[0], "bold")
            continue
        in_columns = zip(texts, widths, numeric, strict=True)
        *head, last = (_padded(text, room, is_number=is_number) for text, room, is_number in in_columns)
        yield from _row(head, last.rstrip(), row.tone, columns)


def _padded(cell: str, room: int, *, is_number: bool) -> str:
    """Pad `cell` to `room` columns, of which a Chinese character takes two."""
    blanks = " " * (room - columns_of(cell))
    return blanks + cell if is_number else cell + blanks


def _row(head: list[str], last: str, tone: str, columns: int | None) -> Iterator[str]:
    """Yield one row, whose `last` cell wraps below itself, or below the others if it has too little room."""
    indent = 2 + sum(columns_of(cell) + 2 for cell in head)
    while columns is not None and indent - 2 > columns and len(head) > 1:  # cells that don't fit join it
        indent -= columns_of(head[-1]) + 2
        last = f"{head.pop().strip()}  {last}".strip()
    start = "  ".join([painted(head[0], tone), *head[1:]])
    if columns is not None and columns - indent < min(_LEAST, columns_of(last)):
        if start.strip():
            yield f"  {start}".rstrip()
        yield from (f"    {line}" for line in folded(last, columns - 4))
        return
    first, *more = folded(last, columns and columns - indent) or [""]
    yield f"  {start}  {first}".rstrip()
    yield from (f"{' ' * indent}{line}" for line in more)


def folded(text: str, room: int | None) -> list[str]:
    """Wrap `text` without breaking a path or a command, so that it can be copied."""
    if room is None or not text:
        return [text] if text else []
    return textwrap.wrap(text, max(_SHORTEST, room), break_long_words=False, break_on_hyphens=False)


def _replace_missing(problem: UnicodeError) -> tuple[str, int]:
    """Replace characters that a terminal's encoding lacks."""
    if not isinstance(problem, UnicodeEncodeError):
        raise problem
    missing = problem.object[problem.start : problem.end]
    return "".join(_ASCII.get(character, "?") for character in missing), problem.end


codecs.register_error("tidegauge", _replace_missing)
