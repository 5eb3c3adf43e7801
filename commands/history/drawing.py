"""An answer of the history as lines of text: fitted to a terminal's width, or one for each row in a pipe."""

from collections.abc import Iterator

from commands.terminal import folded, painted, safe
from history.questions.answer.question import Cell, QuestionAnswer, QuestionColumn, QuestionTable
from statusline.terminal import width


def lines(answer: QuestionAnswer, columns: int | None) -> Iterator[str]:
    """Title, facts, tables and advice for a terminal of `columns`; None: for a pipe."""
    yield from (painted(line, "bold") for line in folded(safe(answer.title), columns))
    for fact in answer.facts:
        yield from folded(safe(fact), columns)
    is_first = not (answer.title or answer.facts)
    for table in answer.tables:
        if table.rows:
            yield from ([] if is_first else [""])
            yield from _table(table, columns)
            is_first = False
    if answer.advice:
        yield ""
        yield from (painted(line, "bold") for line in folded(safe(answer.advice), columns))


def _table(table: QuestionTable, columns: int | None) -> Iterator[str]:
    kinds = [_column(table, index) for index in range(len(table.columns))]
    heads = [column.head for column in kinds]
    rows = [[safe(cell_text(cell)) for cell in row] for row in table.rows[: table.most]]
    widths = [max(map(width.columns, cells)) for cells in zip(heads, *rows, strict=True)]
    if columns is not None and kinds[-1].kind == "path":
        *others, last = widths
        widths[-1] = min(last, max(len(heads[-1]), columns - 2 * len(widths) - sum(others)))
    if table.title:
        yield painted(safe(table.title), "bold")
    for number, cells in enumerate([heads, *rows] if any(heads) else rows):
        line = f"  {'  '.join(map(_fitted, cells, kinds, widths))}".rstrip()
        line = line if columns is None else width.cut(line, columns)
        yield painted(line, "quiet") if any(heads) and not number else line
    if more := len(table.rows) - len(rows):
        yield painted(f"  … {more:,} more in --json", "quiet")


def _fitted(cell: str, column: QuestionColumn, room: int) -> str:
    if column.kind == "path":  # its end says more than its beginning
        cell = width.cut(cell[::-1], room)[::-1]
    padding = " " * (room - width.columns(cell))
    return padding + cell if column.kind == "number" else cell + padding


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
