"""A survey on a terminal, and as plain text where somebody else reads it."""

import sys
from collections.abc import Iterator

from monitor.commands.overview.survey import Survey
from monitor.commands.terminal import safe
from monitor.pivot.report import ReportRow, plain, rows, title
from shared.duration import duration_text

_STYLES = {"plain": "", "calm": "green", "notice": "yellow", "urgent": "bold red", "quiet": "dim"}
_BAR = 40


def show(survey: Survey, now: float) -> None:
    """Print the overview: with colours and a bar on a terminal, else one line for each fact."""
    if not sys.stdout.isatty():
        print(*(safe(line) for line in text(survey, now)), sep="\n")
        return
    from rich.console import Console  # noqa: PLC0415  60 ms that only a terminal pays
    from rich.table import Table  # noqa: PLC0415  see above
    from rich.text import Text  # noqa: PLC0415  see above

    console = Console(highlight=False, soft_wrap=False)
    console.print(Text(safe(title(survey.overview)), style="bold"))
    table = Table.grid(padding=(0, 1))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    for row in _rows(survey):
        table.add_row(f"  {row.label}", Text(safe(row.text), style=_STYLES[row.tone]))
        if row.label == "usage":
            full, empty = ("\u2588", "\u2591") if console.encoding.startswith("utf") else ("#", "-")
            filled = min(_BAR, int(survey.overview.used * _BAR / 100))
            bar = Text(full * filled, style=_STYLES[row.tone]).append(empty * (_BAR - filled), style="dim")
            table.add_row("", bar)
    console.print(table)
    if survey.others:
        console.print(Text("\nOther sessions of this project", style="bold"))
        table = Table.grid(padding=(0, 2))
        for cells in _others(survey, now):
            table.add_row(*(Text(cell) for cell in ("", *cells)))
        console.print(table)


def text(survey: Survey, now: float) -> Iterator[str]:
    """The same as lines."""
    yield title(survey.overview)
    for row in _rows(survey):
        yield plain(row)
    if survey.others:
        yield ""
        yield "Other sessions of this project"
        for name, state, written, used in _others(survey, now):
            yield f"  {name}  {state.ljust(10)}  {written.ljust(12)}  {used}".rstrip()


def _rows(survey: Survey) -> Iterator[ReportRow]:
    yield ReportRow("this is", survey.how)
    if survey.directory:
        yield ReportRow("directory", survey.directory)
    found = survey.run_state
    yield ReportRow("state", f"{found.state}: {found.said}", "notice" if found.state == "interrupted" else "plain")
    yield from (ReportRow(line.label, line.text) for line in survey.story)
    yield from rows(survey.overview)


def _others(survey: Survey, now: float) -> Iterator[tuple[str, str, str, str]]:
    for other in survey.others:
        used = f"{other.used}% used, {other.level}" if other.used is not None else "nothing measured"
        yield other.session_id, other.state, f"{duration_text(now - other.written)} ago", used
