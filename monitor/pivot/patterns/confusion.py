"""Confusion: the session does the same thing again, although nothing has changed since."""

from collections.abc import Callable
from itertools import pairwise

from monitor.activity.tool_calls import DONE, FAILED, ToolCall, ToolCallLog
from monitor.pivot.patterns.finding import Finding, Sign, finding, sign_of
from monitor.pivot.patterns.versions import MOST_EDITS, rows_of_versions
from shared.client.tools import EDIT_KINDS, READ_KINDS

NAME = "confusion"
_FAILURES = 3
"""Failures of one call in a row. Two are how one makes sure."""
_AFTER_AN_EDIT = 0.5
"""What a failure counts after an edit that has not changed it: one attempt more of a kind that didn't help."""
_MISSED = 3
"""Edits of one file in a row, or reads, that the client refused, as the file doesn't say what they replace, or there is
none. Not one real session has three such reads in a row."""
_GUESSES = 3
"""Failing runs between versions of the same lines: a value is tried, and another, and another. One or two are how a
mistake is corrected, as in a handful of healthy windows."""
_EDITED_AGAIN = 2
"""Edits that were made once more, word for word: something has taken them away, and nobody has looked what. One is a
formatter's doing."""
_ALL_FAILED = 5
"""Answers in a row whose every call failed, each in another way. In 238 real sessions there are four once: a check,
its repair and two others that had something to say; five never."""


def find(log: ToolCallLog) -> Finding | None:
    """Find a call that fails in a row, is tried again or edited again; or that nothing works at all."""
    rules = (_failing, _missing, _guessing, _editing_again, _floundering)
    return finding(NAME, [rule(log.calls) for rule in rules])


class _Run:
    """Failures of one call, one after the other."""

    def __init__(self) -> None:
        self.calls: list[ToolCall] = []
        self.weight = 0.0
        self.edits = self.acts = 0
        """Edits and acts made before the newest of them; an edit is an act, too."""


def _failing(calls: list[ToolCall]) -> Sign:
    """The longest row of failures. What fails in another way after something was done begins a new row.

    So does what fails on another revision. After an edit, the same failure counts half.
    """
    runs: dict[int, _Run] = {}
    ended: list[_Run] = []
    edits = acts = 0
    for call in calls:
        edits += call.is_edit
        acts += call.is_edit or (call.state == DONE and call.kind in {"command", "delegate", "other"})
        if call.state == DONE and (run := runs.pop(call.fingerprint, None)) is not None and run.edits == edits:
            run.weight = 0  # it worked at last by itself: it was waited for
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
    """The longest row of edits of one file, or of reads, that failed, up to one that worked."""
    wanted = [call for call in calls if call.kind in EDIT_KINDS | READ_KINDS]
    best = _longest_row(wanted, lambda call: "" if call.is_read else call.path)
    what = "reads" if best and best[0].is_read else "edits of one file"
    return sign_of(f"{len(best)} {what} failed in a row", best, _MISSED)


def _longest_row(calls: list[ToolCall], subject_of: Callable[[ToolCall], str]) -> list[ToolCall]:
    """The longest row of answers with a failure on one subject, up to a call on it that worked."""
    rows: dict[str, list[ToolCall]] = {}
    best: list[ToolCall] = []
    for call in calls:
        subject = subject_of(call)
        if call.state == DONE:
            rows.pop(subject, None)
        elif call.state == FAILED:
            row = rows.setdefault(subject, [])
            if not row or row[-1].turn != call.turn:  # several in one answer fail for one reason
                row.append(call)
            best = max(best, list(row), key=len)
    return best


def _guessing(calls: list[ToolCall]) -> Sign:
    """The lines that were written in most versions with a failing run between each and the next."""
    failed = [call.turn for call in calls if call.kind == "command" and call.state == FAILED]
    best: list[ToolCall] = []
    for row in rows_of_versions(calls):
        guesses = [two for one, two in pairwise(row) if any(one.turn <= turn <= two.turn for turn in failed)]
        best = max(best, guesses, key=len)
    text = f"the same lines were changed {len(best)} times because what was run failed, and it failed again"
    return sign_of(text, best, _GUESSES)


def _editing_again(calls: list[ToolCall]) -> Sign:
    """Edits that were made before, word for word, after the same prompt; what a session reverts doesn't count."""
    files: dict[str, list[ToolCall]] = {}
    again: list[ToolCall] = []
    for call in calls:
        if call.by_git and call.is_done:
            files.clear()  # it threw them away itself, and makes them anew
        if call.kind != "edit" or not call.is_edit:
            continue
        made = [other for other in files.get(call.path, ()) if other.prompt == call.prompt]
        if call.added and any(other.fingerprint == call.fingerprint for other in made):
            again.append(call)
        lasting = [other for other in made if set(other.added).isdisjoint(call.removed)]
        files[call.path] = [*lasting, call][-MOST_EDITS:]
    text = f"{len(again)} edits were made once more, word for word, because they had not lasted"
    return sign_of(text, again, _EDITED_AGAIN)


def _floundering(calls: list[ToolCall]) -> Sign:
    """The longest row of answers in which nothing worked. A search that fails has found nothing: that is a result."""
    best = _longest_row([call for call in calls if call.kind != "search" or call.state != FAILED], lambda _: "")
    return sign_of(f"{len(best)} times in a row what was called failed", best, _ALL_FAILED)
