"""The suite's result: a table for a person, and one object for a program."""

from collections.abc import Iterator, Sequence

import msgspec

from commands.conformance.case import RecordedCase
from commands.conformance.judgement import Standard, fault, percentage
from commands.conformance.observation import Observation
from commands.terminal import TableRow, folded, table
from shared.text.quantities import counted


class RedrawResult(msgspec.Struct, frozen=True):
    accepted: tuple[int | None, ...]
    """What agrees with the client, in percent; null for no percentage."""
    used: float | None
    """Percent in use, as the status line states it; null for none."""
    printed: str
    fault: str
    """Empty if it agrees."""


class CaseResult(msgspec.Struct, frozen=True):
    name: str
    client: str
    title: str
    source: str
    redraws: tuple[RedrawResult, ...]
    missing: int
    """Redraws that it wasn't given any more."""

    @property
    def expected(self) -> int:
        return len(self.redraws) + self.missing

    @property
    def right(self) -> int:
        """How many of them agree with the client."""
        return sum(not redraw.fault for redraw in self.redraws)

    @property
    def faults(self) -> list[str]:
        """What is wrong, with the number of the redraw."""
        return [f"redraw {number}: {redraw.fault}" for number, redraw in enumerate(self.redraws, 1) if redraw.fault]


class ConformanceResult(msgspec.Struct, frozen=True):
    command: str
    judged: str
    """`bridge` or `line`."""
    cases: tuple[CaseResult, ...]

    @property
    def is_right(self) -> bool:
        return not any(case.faults for case in self.cases)


def case_result(case: RecordedCase, observations: Sequence[Observation], standard: Standard) -> CaseResult:
    redraws = tuple(
        RedrawResult(redraw.accepted, percentage(redraw, standard), redraw.printed, fault(redraw, standard))
        for redraw in observations
    )
    expected = sum(bool(row.redraw) for row in case.rows)
    return CaseResult(case.name, case.client, case.title, case.source, redraws, expected - len(redraws))


def lines(result: ConformanceResult, columns: int | None) -> Iterator[str]:
    """A row per case, with its first fault; what was judged, and how many agree.

    `columns` is the terminal's width, None where no line is folded.
    """
    rows = [TableRow(("", "case", "client", "redraws", "about"))]
    for case in result.cases:
        count = f"{case.right}/{case.expected}"
        mark, tone = ("wrong", "urgent") if case.faults else ("right", "calm")
        rows.append(TableRow((mark, case.name, case.client, count, _note(case)), tone))
    yield from table(rows, columns)
    right = sum(not case.faults for case in result.cases)
    judged = "its bridge" if result.judged == "bridge" else "what it prints"
    yield ""
    yield from folded(
        f"Judged by {judged}: {right} of {counted(len(result.cases), 'case')} right, "
        f"{sum(case.right for case in result.cases)} of "
        f"{counted(sum(case.expected for case in result.cases), 'redraw')}.",
        columns,
    )


def _note(case: CaseResult) -> str:
    if not case.faults:
        return case.title
    more = len(case.faults) - 1
    return f"{case.title}: {case.faults[0]}{f'; and {more} more' if more else ''}"
