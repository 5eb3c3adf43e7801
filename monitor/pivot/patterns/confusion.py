"""Confusion: the session does the same thing again, although nothing has changed since."""

from itertools import pairwise

from monitor.activity.tool_calls import DONE, FAILED, REFUSED, ToolCall, ToolCallLog
from monitor.pivot.patterns.finding import Evidence, Finding, Sign, finding, most_frequent
from monitor.pivot.patterns.repeats import GAP, repeats_in
from monitor.pivot.patterns.versions import rows_of_versions

NAME = "confusion"
_FAILURES = 3
"""Of one call in a row. Two are how one makes sure."""
_AFTER_AN_EDIT = 0.5
"""What a failure counts after an edit that has not changed it: one attempt more of a kind that didn't help."""
_MISSED_EDITS = 3
"""Edits of one file in a row that the client refused, as the file doesn't say what they replace."""
_LOOK_UPS = 4
"""Of the same thing, each within a few turns of the one before it. Three happen when a file is read before a command
and after it."""
_GUESSES = 3
"""Failing runs between versions of the same lines: a value is tried, and another, and another. One or two are how a
mistake is corrected, as in a handful of healthy windows."""
_EDITED_AGAIN = 2
"""Edits that were made once more, word for word: something has taken them away, and nobody has looked what. One is a
formatter's doing."""
_MOST_EDITS = 100
"""Of one file that are compared, the newest."""
_RUNS = 3
"""Of one command in a row, each with another filter on its output. Two are a look at the end and at the cause."""
_SPAN, _MOST_FAILED = 20, 10
"""Calls in a row of which half failed, each in another way."""


def find(log: ToolCallLog) -> Finding | None:
    """The same fails in a row, is looked up in a row, is edited again; or most calls fail."""
    signs = [
        _failing(log.calls),
        _missing(log.calls),
        _looking(log.calls),
        _guessing(log.calls),
        _editing_again(log.calls),
        _running(log.calls),
        _floundering(log.calls),
    ]
    return finding(NAME, [sign for sign in signs if sign is not None])


class _Run:
    """Failures of one call, one after the other."""

    def __init__(self) -> None:
        self.calls: list[ToolCall] = []
        self.weight = 0.0
        self.edits = 0


def _failing(calls: list[ToolCall]) -> Sign | None:
    """The longest row of failures. After an edit, the same failure counts half, and another one begins a new row."""
    runs: dict[int, _Run] = {}
    ended: list[_Run] = []
    edits = 0
    for call in calls:
        edits += call.is_edit
        if call.state == DONE and (run := runs.pop(call.fingerprint, None)) is not None and run.edits == edits:
            run.weight = 0  # it worked at last by itself: it was waited for
        if call.state != FAILED:
            continue
        run = runs.setdefault(call.fingerprint, _Run())
        ended.append(run)
        if run.calls and run.edits != edits and run.calls[-1].outcome != call.outcome:
            run = runs[call.fingerprint] = ended[-1] = _Run()
        run.weight += 1 if not run.calls or run.edits == edits else _AFTER_AN_EDIT
        run.calls.append(call)
        run.edits = edits
    best = max(ended, key=lambda one: one.weight, default=_Run())
    if not best.weight:
        return None
    kind = "command" if best.calls[0].kind in {"command", "search"} else "call"
    text = f"the same {kind} failed {len(best.calls)} times in a row, with nothing gained in between"
    return Sign(best.weight, _FAILURES, _evidence(text, best.calls))


def _missing(calls: list[ToolCall]) -> Sign | None:
    """The longest row of edits of one file that failed, up to one that worked."""
    rows: dict[str, list[ToolCall]] = {}
    best: list[ToolCall] = []
    for call in calls:
        if call.kind not in {"edit", "write"}:
            continue
        if call.state == DONE:
            rows.pop(call.path, None)
        elif call.state == FAILED:
            row = rows.setdefault(call.path, [])
            if not row or row[-1].turn != call.turn:  # several in one answer fail for one reason
                row.append(call)
            best = max(best, list(row), key=len)
    if not best:
        return None
    return Sign(len(best), _MISSED_EDITS, _evidence(f"{len(best)} edits of one file failed in a row", best))


def _looking(calls: list[ToolCall]) -> Sign | None:
    """The look-up that is made most often with few turns in between, and shows the same each time."""
    rows: dict[int, list[ToolCall]] = {}
    best: list[ToolCall] = []
    for call, before, _ in repeats_in(calls):
        if (call.fingerprint, call.outcome) != (before.fingerprint, before.outcome):
            continue
        row = rows.get(call.fingerprint)
        if row is None or call.turn - row[-1].turn >= GAP:
            row = rows[call.fingerprint] = [before]
        if call.turn - row[-1].turn < GAP:
            row.append(call)
        if len(row) > len(best):
            best = list(row)
    if not best:
        return None
    what = "part of a file was read" if best[0].is_read else "search was made"
    return Sign(len(best), _LOOK_UPS, _evidence(f"the same {what} {len(best)} times and showed nothing new", best))


def _guessing(calls: list[ToolCall]) -> Sign | None:
    """The lines that were written in most versions with a failing run between each and the next."""
    failed = [call.turn for call in calls if call.kind == "command" and call.state == FAILED]
    best: list[ToolCall] = []
    for row in rows_of_versions(calls):
        guesses = [two for one, two in pairwise(row) if any(one.turn <= turn <= two.turn for turn in failed)]
        best = max(best, guesses, key=len)
    if not best:
        return None
    text = f"the same lines were changed {len(best)} times because what was run failed, and it failed again"
    return Sign(len(best), _GUESSES, _evidence(text, best))


def _editing_again(calls: list[ToolCall]) -> Sign | None:
    """Edits that were made before, word for word, after the same prompt; what a session takes back itself is none."""
    files: dict[str, list[ToolCall]] = {}
    again: list[ToolCall] = []
    for call in calls:
        if call.kind != "edit" or not call.is_edit or not call.added:
            continue
        made = [other for other in files.get(call.path, ()) if other.prompt == call.prompt]
        if any(other.fingerprint == call.fingerprint for other in made):
            again.append(call)
        files[call.path] = [*(other for other in made if not _takes_back(call, other)), call][-_MOST_EDITS:]
    if not again:
        return None
    text = f"{len(again)} edits were made once more, word for word, because they had not lasted"
    return Sign(len(again), _EDITED_AGAIN, _evidence(text, again))


def _takes_back(call: ToolCall, other: ToolCall) -> bool:
    return not set(other.added).isdisjoint(call.removed)


def _running(calls: list[ToolCall]) -> Sign | None:
    """The command that was run most often in a row only to see another part of what it prints.

    Whatever else is run or edited may have changed that; the same command, filter and all, waits for something.
    """
    row: dict[int, ToolCall] = {}
    best: list[ToolCall] = []
    for call in calls:
        if call.is_edit or (call.kind in {"command", "delegate"} and call.state != REFUSED):
            is_next = row and next(iter(row.values())).program == call.program
            row = {**row, call.fingerprint: call} if is_next else {call.fingerprint: call}
            best = max(best, list(row.values()), key=len) if call.program else best
    if not best:
        return None
    text = f"the same command was run {len(best)} times in a row, only to see another part of its output"
    return Sign(len(best), _RUNS, _evidence(text, best))


def _floundering(calls: list[ToolCall]) -> Sign | None:
    ended = [call for call in calls if call.state in {DONE, FAILED}]
    best: list[ToolCall] = []
    for end in range(min(_SPAN, len(ended)), len(ended) + 1):
        failed = [call for call in ended[max(0, end - _SPAN) : end] if call.state == FAILED]
        best = max(best, failed, key=len)
    if not best:
        return None
    return Sign(len(best), _MOST_FAILED, _evidence(f"{len(best)} of {_SPAN} calls in a row failed", best))


def _evidence(text: str, calls: list[ToolCall]) -> Evidence:
    return Evidence(text, len(calls), (calls[0].turn, calls[-1].turn), most_frequent([call.path for call in calls]))
