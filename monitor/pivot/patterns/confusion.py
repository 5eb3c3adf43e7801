"""Confusion: the session repeats something although nothing has changed since."""

from monitor.activity.tool_calls import DONE, FAILED, ToolCall, ToolCallLog
from monitor.pivot.patterns.finding import Finding, Sign, finding, sign_of
from shared.client.tools import EDIT_KINDS, READ_KINDS

NAME = "confusion"
_FAILURES = 3
"""Failures of one call in a row. Two may be a double check."""
_AFTER_AN_EDIT = 0.5
"""The weight of a failure after an edit that hasn't changed it: one more attempt that didn't help."""
_MISSED = 3
"""Edits of one file in a row, or reads, that the client refused, as the file lacks what they replace, or is missing.
No real session has three such reads in a row."""


def find(log: ToolCallLog) -> Finding | None:
    """Find a call, the edits of a file, or reads, that fail several times in a row."""
    return finding(NAME, [_failing(log.calls), _missing(log.calls)])


class _Run:
    """Consecutive failures of one call."""

    def __init__(self) -> None:
        self.calls: list[ToolCall] = []
        self.weight = 0.0
        self.edits = self.acts = 0  # counts before the newest failure; an edit is an act, too


def _failing(calls: list[ToolCall]) -> Sign:
    """The longest run of failures; another error after an act, or another revision, begins a new one."""
    runs: dict[int, _Run] = {}
    ended: list[_Run] = []
    edits = acts = 0
    for call in calls:
        edits += call.is_edit
        acts += call.is_edit or (call.state == DONE and call.kind in {"command", "delegate", "other"})
        if call.state == DONE and (run := runs.pop(call.fingerprint, None)) is not None and run.edits == edits:
            run.weight = 0  # it worked without an edit: the agent was waiting
        if call.state != FAILED:
            continue
        run = runs.setdefault(call.fingerprint, _Run())
        ended.append(run)
        last = run.calls[-1] if run.calls else call
        is_other = last.outcome != call.outcome and run.acts != acts
        if is_other or last.revisions != call.revisions:
            run = runs[call.fingerprint] = ended[-1] = _Run()
        run.weight += 1 if not run.calls or run.edits == edits else _AFTER_AN_EDIT
        run.calls.append(call)
        run.edits, run.acts = edits, acts
    best = max(ended, key=lambda one: one.weight, default=_Run())
    kind = "command" if best.calls and best.calls[0].kind in {"command", "search"} else "call"
    text = f"the same {kind} failed {len(best.calls)} times in a row, with nothing gained in between"
    return sign_of(text, best.calls, _FAILURES, best.weight)


def _missing(calls: list[ToolCall]) -> Sign:
    """The longest run of failed edits of one file, or of failed reads, up to one that worked."""
    rows: dict[str, list[ToolCall]] = {}
    best: list[ToolCall] = []
    for call in calls:
        if call.kind not in EDIT_KINDS | READ_KINDS:
            continue
        subject = "" if call.is_read else call.path
        if call.state == DONE:
            rows.pop(subject, None)
        elif call.state == FAILED:
            row = rows.setdefault(subject, [])
            if not row or row[-1].turn != call.turn:  # several in one answer fail for one reason
                row.append(call)
            best = max(best, list(row), key=len)
    what = "reads" if best and best[0].is_read else "edits of one file"
    return sign_of(f"{len(best)} {what} failed in a row", best, _MISSED)
