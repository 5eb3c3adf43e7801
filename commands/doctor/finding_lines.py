"""Findings as lines of text."""

from collections.abc import Iterable, Iterator

from commands.doctor.finding import CheckFinding, CheckStatus
from commands.terminal import TableRow, table
from shared.text.quantities import counted

_TONES = {
    CheckStatus.OK: "calm",
    CheckStatus.WARNING: "notice",
    CheckStatus.WRONG: "urgent",
    CheckStatus.UNKNOWN: "quiet",
}
_STATUS, _SUBJECT = max(map(len, CheckStatus)), 24


def lines(findings: Iterable[CheckFinding], columns: int | None) -> Iterator[str]:
    """Each finding and its remedy, for a terminal of `columns`; None: for a pipe."""
    rows = []
    for finding in findings:
        cells = (finding.status.ljust(_STATUS), finding.subject.ljust(_SUBJECT), finding.message)
        rows.append(TableRow(cells, _TONES[finding.status]))
        if finding.remedy:
            rows.append(TableRow(("", "", f"→ {finding.remedy}")))
    yield from table(rows, columns)


def problems(findings: Iterable[CheckFinding]) -> list[CheckFinding]:
    """The findings that the person should know of: what is wrong first."""
    return [item for status in (CheckStatus.WRONG, CheckStatus.WARNING) for item in findings if item.status is status]


def summary(findings: list[CheckFinding]) -> str:
    """The verdict of all checks in one sentence."""
    counts = {status: sum(finding.status is status for finding in findings) for status in CheckStatus}
    if counts[CheckStatus.WRONG] or counts[CheckStatus.WARNING]:
        listed = ", ".join(f"{number} {status}" for status, number in reversed(counts.items()) if number)
        return f"{listed}; -v lists all."
    unknown = counts[CheckStatus.UNKNOWN]
    checks = f"; {counted(unknown, 'check')} couldn't run" if unknown else ""
    return f"No problems found{checks} (-v lists all)."
