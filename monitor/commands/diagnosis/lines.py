"""Findings, and tables, as lines of text."""

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


def of(findings: Iterable[CheckFinding]) -> Iterator[str]:
    for finding in findings:
        status = painted(finding.status.ljust(_STATUS), _COLOURS[finding.status])
        yield f"  {status} {finding.subject.ljust(_SUBJECT)} {safe(finding.said)}"
        if finding.remedy:
            yield f"  {' ' * (_STATUS + _SUBJECT + 1)} → {safe(finding.remedy)}"


def summary(findings: list[CheckFinding]) -> str:
    counts = ((sum(finding.status is status for finding in findings), status) for status in reversed(CheckStatus))
    return ", ".join(f"{number} {status}" for number, status in counts if number)


def table(rows: list[list[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield f"  {'  '.join(cells)}".rstrip()
