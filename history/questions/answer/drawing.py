"""An answer on a terminal, fitted to its width, or as plain lines in a pipe."""

import sys
from collections.abc import Iterator

from rich.cells import cell_len, set_cell_size
from rich.console import Console, ConsoleOptions
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from history.questions.answer.question import Cell, QuestionAnswer, QuestionColumn, QuestionTable
from history.questions.answer.sparkline import BLOCKS
from shared.text.plain import plain

_LONGEST = 2_000
_UNFOLDED = 10_000
"""Columns if there is no terminal to set them: a row is a line."""
_ASCII = str.maketrans(BLOCKS + "…", "_.-=+*%#~")


class PathEnd:
    """A path in a table: if too long, only its end, which says more than its beginning."""

    def __init__(self, path: str) -> None:
        self._path = path

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        return Measurement(1, max(1, cell_len(self._path))).with_maximum(options.max_width)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        path, width = self._path, options.max_width
        if cell_len(path) > width:
            path = _text(console, "…").plain + set_cell_size(path[::-1], width - 1)[::-1]
        yield Text(path, no_wrap=True)


def draw(answer: QuestionAnswer) -> None:
    """Print title, facts and tables, and the advice as the last line."""
    console = Console(file=sys.stdout, highlight=False)
    if console.is_terminal:
        _draw(console, answer)
        return
    console.width = _UNFOLDED
    with console.capture() as capture:
        _draw(console, answer)
    for line in capture.get().splitlines():
        sys.stdout.write(f"{line.rstrip()}\n")  # rich fills lines with blanks


def _draw(console: Console, answer: QuestionAnswer) -> None:
    if answer.title:
        console.print(_text(console, answer.title, "bold"))
    for fact in answer.facts:
        console.print(_text(console, fact))
    is_first = not (answer.title or answer.facts)
    for table in answer.tables:
        if table.rows:
            if not is_first:
                console.print()
            is_first = False
            _draw_table(console, table)
    if answer.advice:
        console.print()
        console.print(_text(console, answer.advice, "bold"))


def _draw_table(console: Console, table: QuestionTable) -> None:
    columns = [_column(table, index) for index in range(len(table.columns))]
    rows = [[_text(console, cell_text(cell)) for cell in row] for row in table.rows[: table.most]]
    drawn = Table(box=None, show_header=any(column.head for column in columns), show_edge=False, header_style="dim")
    drawn.padding = (0, 0, 0, 2)
    for index, column in enumerate(columns):
        head = _text(console, column.head)
        widest = max(text.cell_len for text in (head, *(row[index] for row in rows)))
        drawn.add_column(
            head,
            justify="right" if column.kind == "number" else "left",
            min_width=None if column.kind == "path" else widest,
            no_wrap=column.kind != "path",  # columns that may be folded are narrowed first
        )
    for row in rows:
        cells = zip(columns, row, strict=True)
        drawn.add_row(*(PathEnd(text.plain) if column.kind == "path" else text for column, text in cells))
    if table.title:
        console.print(_text(console, table.title, "bold"))
    console.print(drawn)
    if more := len(table.rows) - len(rows):
        console.print(_text(console, f"  … {more:,} more in --json", "dim"))


def _column(table: QuestionTable, index: int) -> QuestionColumn:
    head = table.columns[index]
    if isinstance(head, QuestionColumn):
        return head
    is_number = any(isinstance(row[index], int | float) for row in table.rows)
    return QuestionColumn(head, "number" if is_number else "text")


def cell_text(cell: Cell) -> str:
    """What is shown of a cell."""
    if cell is None:
        return "-"
    if isinstance(cell, int):
        return f"{cell:,}"
    return f"{cell:,.1f}" if isinstance(cell, float) else cell


def _text(console: Console, text: str, style: str = "") -> Text:
    """`text`, which may come from outside, without escape codes or characters that the terminal lacks."""
    safe = plain(text, _LONGEST)
    return Text(safe if console.encoding.lower().startswith("utf") else safe.translate(_ASCII), style)
