"""A history answer as lines of text: fitted to a terminal's width, or one per row in a pipe."""

from collections.abc import Iterator

from commands.terminal import TableRow, folded, painted, safe, table
from history.questions.answer.question import Cell, QuestionAnswer, QuestionTable
from statusline.terminal.width import columns as columns_of
from statusline.terminal.width import cut


def lines(answer: QuestionAnswer, columns: int | None) -> Iterator[str]:
    """Yield title, facts, tables and advice for a terminal of `columns`, or for a pipe (None)."""
    yield from (painted(line, "bold") for line in folded(safe(answer.title), columns))
    for fact in answer.facts:
        yield from folded(safe(fact), columns)
    is_first = not (answer.title or answer.facts)
    for part in answer.tables:
        if part.rows:
            yield from ([] if is_first else [""])
            yield from _table(part, columns)
            is_first = False
    if answer.advice:
        yield ""
        yield from (painted(line, "bold") for line in folded(safe(answer.advice), columns))


def _table(part: QuestionTable, columns: int | None) -> Iterator[str]:
    if part.title:
        yield painted(safe(part.title), "bold")
    cells = [[cell_text(cell) for cell in row] for row in part.rows[: part.most]]
    rows = [[safe(cell) for cell in row] for row in (part.columns, *cells)]
    if columns is not None:
        *others, _ = (2 + max(map(columns_of, column)) for column in zip(*rows, strict=True))
        room = max(1, columns - sum(others) - 2)
        # It may be a path, whose end says more than its beginning.
        rows = [[*row[:-1], cut(row[-1][::-1], room)[::-1]] for row in rows]
    heading, *lines = table([TableRow(row) for row in rows], None)
    yield from [painted(heading, "quiet")] if heading else []
    yield from lines
    if more := len(part.rows) - len(cells):
        yield painted(f"  … {more:,} more in --json", "quiet")


def cell_text(cell: Cell) -> str:
    return cell if isinstance(cell, str) else f"{cell:,}"
