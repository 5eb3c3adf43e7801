"""An answer on a terminal, or as plain text in a pipe."""

import sys

from history.questions.question import Cell, QuestionAnswer, QuestionTable
from shared.plain import plain

_WIDE = 200
"""Columns where nobody's terminal sets them."""
_LONGEST = 500


def draw(answer: QuestionAnswer) -> None:
    """Print the tables, and the advice as the last line."""
    from rich.console import Console  # noqa: PLC0415  60 ms that --json doesn't pay
    from rich.text import Text  # noqa: PLC0415  see above

    console = Console(highlight=False, width=None if sys.stdout.isatty() else _WIDE)
    for number, table in enumerate(answer.tables):
        if number:
            console.print()
        if table.title:
            console.print(Text(plain(table.title, _LONGEST), style="bold"))
        _draw_table(console, table)
    if answer.advice:
        console.print(Text(f"\n{plain(answer.advice, _LONGEST)}"), soft_wrap=not sys.stdout.isatty())


def _draw_table(console: "Console", table: QuestionTable) -> None:  # type: ignore[name-defined]  # noqa: F821  rich's
    from rich.table import Table  # noqa: PLC0415  see above
    from rich.text import Text  # noqa: PLC0415  see above

    drawn = Table(box=None, show_header=any(table.columns), pad_edge=False, header_style="dim")
    for place, head in enumerate(table.columns):
        is_number = any(isinstance(row[place], int | float) for row in table.rows)
        drawn.add_column(head, justify="right" if is_number else "left", overflow="fold")
    for row in table.rows:
        drawn.add_row(*(Text(_shown(cell)) for cell in row))
    console.print(drawn)


def _shown(cell: Cell) -> str:
    if cell is None:
        return "-"
    if isinstance(cell, int):
        return f"{cell:,}"
    return f"{cell:,.1f}" if isinstance(cell, float) else plain(cell, _LONGEST)
