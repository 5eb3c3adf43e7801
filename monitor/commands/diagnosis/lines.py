"""Findings, and tables, as lines of text for a terminal of some width."""

import textwrap
from collections.abc import Iterable, Iterator

from monitor.commands.diagnosis.finding import CheckFinding, CheckStatus
from monitor.commands.terminal import painted, safe

_COLOURS = {
    CheckStatus.OK: "green",
    CheckStatus.WARNING: "yellow",
    CheckStatus.WRONG: "red",
    CheckStatus.UNKNOWN: "dim",
}
_STATUS, _SUBJECT = 8, 24
_INDENT = 2 + _STATUS + 1 + _SUBJECT + 1
_NARROW = 90
"""Columns below which what is said stands under its subject."""
_LEAST = 20
_SPARE = (3, 2, 1)
"""Columns of a table that a narrow terminal goes without, the first to go first."""


def of(findings: Iterable[CheckFinding], width: int | None) -> Iterator[str]:
    """`width` is the terminal's, in columns; None where nothing is to be folded."""
    for finding in findings:
        head = f"  {painted(finding.status.ljust(_STATUS), _COLOURS[finding.status])} "
        subject = finding.subject.ljust(_SUBJECT)
        said, remedy = safe(finding.said), safe(finding.remedy)
        if width is not None and width < _NARROW:
            yield f"{head}{finding.subject}"
            yield from _folded("    ", said, width)
            yield from _folded("    ", remedy and f"→ {remedy}", width)
        else:
            first, *more = _folded(" " * _INDENT, said, width) or [" " * _INDENT]
            yield f"{head}{subject} {first[_INDENT:]}"
            yield from more
            yield from _folded(" " * _INDENT, remedy and f"→ {remedy}", width)


def _folded(indent: str, text: str, width: int | None) -> list[str]:
    if width is None:
        return [indent + text] if text else []
    room = max(width, len(indent) + _LEAST)
    # A path or a command that was broken could not be copied.
    return textwrap.wrap(
        text, room, initial_indent=indent, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def problems(findings: Iterable[CheckFinding]) -> list[CheckFinding]:
    """Those that the person should know of: what is wrong first."""
    return [one for status in (CheckStatus.WRONG, CheckStatus.WARNING) for one in findings if one.status is status]


def summary(findings: list[CheckFinding]) -> str:
    counts = ((sum(finding.status is status for finding in findings), status) for status in reversed(CheckStatus))
    return ", ".join(f"{number} {status}" for number, status in counts if number)


def table(rows: list[list[str]], width: int | None) -> Iterator[str]:
    left = list(range(len(rows[0])))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for spare in _SPARE:
        if width is not None and sum(widths[column] + 2 for column in left) > width and spare in left:
            left.remove(spare)
    for row in rows:
        yield f"  {'  '.join(row[column].ljust(widths[column]) for column in left)}".rstrip()
