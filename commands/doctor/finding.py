"""The result of a check: one link of the chain from the client to the agent, and whether it holds."""

import enum
import functools
import re
from collections import Counter
from collections.abc import Iterable, Iterator

import msgspec

from commands.terminal import TableRow, table
from shared.text.quantities import counted

NAME = "tidegauge"
REPAIR = f"run: {NAME} repair"
"""The start of each remedy that `doctor --fix` applies by itself: it loses nothing that a person wrote."""


class CheckStatus(enum.StrEnum):
    OK = "ok"
    WARNING = "warning"
    """It works, but perhaps not as the person thinks."""
    WRONG = "wrong"
    UNKNOWN = "unknown"


class CheckFinding(msgspec.Struct, frozen=True, omit_defaults=True):
    status: CheckStatus
    subject: str
    message: str
    remedy: str = ""
    silences: bool = False
    """Whether it keeps all messages from the agent."""
    is_unused: bool = False
    """Whether it is unknown because nothing has been used yet."""


ok = functools.partial(CheckFinding, CheckStatus.OK)
warning = functools.partial(CheckFinding, CheckStatus.WARNING)
wrong = functools.partial(CheckFinding, CheckStatus.WRONG)
unused = functools.partial(CheckFinding, CheckStatus.UNKNOWN, is_unused=True)
unknown = functools.partial(CheckFinding, CheckStatus.UNKNOWN)
_COMMAND = re.compile(rf"(?<![\w/.-]){NAME}(?= [a-z])")
_TONES = {"ok": "calm", "warning": "notice", "wrong": "urgent", "unknown": "quiet"}
_BY_URGENCY = (CheckStatus.WRONG, CheckStatus.WARNING, CheckStatus.UNKNOWN, CheckStatus.OK)
_STATUS, _SUBJECT = max(map(len, CheckStatus)), 24


def lines(findings: Iterable[CheckFinding], columns: int | None, program: str = NAME) -> Iterator[str]:
    """Format findings for a terminal of `columns` or a pipe (None), with the `program` that the person types."""
    rows = []
    for finding in findings:
        cells = (finding.status.ljust(_STATUS), finding.subject.ljust(_SUBJECT), finding.message)
        rows.append(TableRow(cells, _TONES[finding.status]))
        if finding.remedy:
            rows.append(TableRow(("", "", f"→ {_COMMAND.sub(lambda _: program, finding.remedy)}")))
    yield from table(rows, columns)


def problems(findings: Iterable[CheckFinding]) -> list[CheckFinding]:
    """The findings that the person should know about, what is wrong first."""
    return [item for status in (CheckStatus.WRONG, CheckStatus.WARNING) for item in findings if item.status is status]


def can_be_repaired(findings: Iterable[CheckFinding]) -> bool:
    return any(finding.remedy.startswith(REPAIR) for finding in findings)


def summary(findings: list[CheckFinding]) -> str:
    counts = Counter(finding.status for finding in findings)
    if counts[CheckStatus.WRONG] or counts[CheckStatus.WARNING]:
        listed = ", ".join(f"{counts[status]} {status}" for status in _BY_URGENCY if counts[status])
        return f"{listed}; -v lists all."
    unused_parts = sum(finding.is_unused for finding in findings)
    failed = counts[CheckStatus.UNKNOWN] - unused_parts
    use = "; not used yet" if unused_parts else ""
    checks = f"; {counted(failed, 'check')} couldn't run" if failed else ""
    return f"No problems found{use}{checks} (-v lists all)."
