"""A survey as lines of text."""

import sys
from collections.abc import Iterator

from commands.status.survey import Survey
from commands.terminal import facts, painted, safe
from monitor.pivot.report import rows
from shared.text.quantities import duration_text
from shared.text.report_row import ReportRow, label_cell

_BAR = 40
_STILL_OPEN = 3_600
"""Seconds for which the person may still continue a session that has ended."""
_OF_THE_NEXT_TURN = {"limit", "forecast", "next", "how", "run"}
"""Rows that don't apply to a session that has ended."""


def lines(survey: Survey, now: float, columns: int | None) -> Iterator[str]:
    """Yield the survey for a terminal of `columns`, with a bar, or for a pipe (None), with one line per fact."""
    yield painted(safe(f"Session {survey.overview.session_id}"), "bold")
    for row in _rows(survey, now):
        yield from facts([row], columns)
        if row.label == "usage" and columns is not None:
            filled = min(_BAR, int(survey.overview.used * _BAR / 100))
            full, empty = ("█", "░") if sys.stdout.encoding.lower().startswith("utf") else ("#", "-")
            yield f"  {label_cell('')}{painted(full * filled, row.tone)}{painted(empty * (_BAR - filled), 'quiet')}"


def _rows(survey: Survey, now: float) -> Iterator[ReportRow]:
    yield ReportRow("this is", survey.how)
    if survey.directory:
        yield ReportRow("directory", survey.directory)
    state = survey.run_state
    yield ReportRow("state", f"{state.state}: {state.reason}", "notice" if state.state == "interrupted" else "plain")
    yield from survey.summary
    is_over, label = state.state not in {"running", "unknown"} and now - survey.written >= _STILL_OPEN, ""
    for row in rows(survey.overview):
        label = row.label or label
        if not is_over or label not in _OF_THE_NEXT_TURN:
            yield row
    if is_over:
        ago = duration_text(now - survey.written)
        yield ReportRow("next", f"It ended {ago} ago. To continue it: {survey.reopen}; what is saved: {survey.resume}")
