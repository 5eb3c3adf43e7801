"""The result of a check: one link of the chain from the client to the agent, and whether it holds."""

import enum
import functools
from collections.abc import Iterable, Iterator

import msgspec

from commands.terminal import TableRow, table
from shared.text.quantities import counted

REPAIR = "run: tidegauge repair"
"""The remedy that `doctor --fix` carries out by itself."""


class CheckStatus(enum.StrEnum):
    OK = "ok"
    WARNING = "warning"
    """It works, but perhaps not as the person thinks."""
    WRONG = "wrong"
    UNKNOWN = "unknown"


class Fix(enum.StrEnum):
    """What `doctor --fix` may do: nothing that a person has written is lost by it."""

    NONE = ""
    REPAIR = "repair"
    """Run `tidegauge repair`, which puts program, launchers, companions and entries back."""
    PRIVATE = "private"
    """Take the rights of others to a directory of ours away."""
    EXECUTABLE = "executable"
    """Let a launcher be executed."""
    REMOVE = "remove"
    """Remove a file of run-time state that cannot be read: it counts as none, and the next event writes it again."""


class CheckFinding(msgspec.Struct, frozen=True, omit_defaults=True):
    status: CheckStatus
    subject: str
    message: str
    remedy: str = ""
    silences: bool = False
    """Whether, because of it, no message can reach the agent."""
    fix: Fix = Fix.NONE
    path: str = ""
    """What the fix is about."""

    def __post_init__(self) -> None:
        if self.remedy.startswith(REPAIR):
            msgspec.structs.force_setattr(self, "fix", Fix.REPAIR)


ok = functools.partial(CheckFinding, CheckStatus.OK)
warning = functools.partial(CheckFinding, CheckStatus.WARNING)
wrong = functools.partial(CheckFinding, CheckStatus.WRONG)
unknown = functools.partial(CheckFinding, CheckStatus.UNKNOWN)
_TONES = {"ok": "calm", "warning": "notice", "wrong": "urgent", "unknown": "quiet"}
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
    number = counts[CheckStatus.UNKNOWN]
    checks = f"; {counted(number, 'check')} couldn't run" if number else ""
    return f"No problems found{checks} (-v lists all)."
