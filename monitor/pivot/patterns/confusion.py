"""Confusion: the session does the same thing again, although nothing has changed since."""

from monitor.activity.tool_calls import DONE, FAILED, WAITING, ToolCall, ToolCallLog
from monitor.pivot.patterns.finding import MOST_FILES, Evidence, Finding, Sign, finding
from shared.config import PivotPatterns

NAME = "confusion"
_NEWEST, _MOST_FAILED = 20, 12
"""Of the newest calls, how many may fail before it is a sign of its own."""


def find(log: ToolCallLog, settings: PivotPatterns) -> Finding | None:
    """The same call fails in a row; the same part of a file is read in a row; most calls fail."""
    signs = [
        _failing(log.calls, settings.confusion_failures),
        _reading(log.calls, settings.confusion_reads, settings.confusion_span_turns),
        _floundering(log.calls),
    ]
    return finding(NAME, [sign for sign in signs if sign is not None])


class _Run:
    """Failures of one call, one after the other."""

    def __init__(self) -> None:
        self.calls: list[ToolCall] = []
        self.weight = 0.0
        self.edits = 0


def _failing(calls: list[ToolCall], threshold: int) -> Sign | None:
    """The longest row of failures. After an edit, one that fails in the same way counts half, in another way anew."""
    runs: dict[int, _Run] = {}
    edits, best = 0, _Run()
    for call in calls:
        edits += call.is_edit
        if call.state == DONE:
            runs.pop(call.fingerprint, None)
        if call.state != FAILED:
            continue
        run = runs.setdefault(call.fingerprint, _Run())
        if run.calls and run.edits != edits and run.calls[-1].outcome != call.outcome:
            run = runs[call.fingerprint] = _Run()
        run.weight += 1 if not run.calls or run.edits == edits else 0.5
        run.calls.append(call)
        run.edits = edits
        best = max(best, run, key=lambda one: one.weight)
    if not best.calls:
        return None
    kind = "command" if best.calls[0].kind == "command" else "call"
    text = f"the same {kind} failed {len(best.calls)} times in a row, with nothing gained in between"
    turns = (best.calls[0].turn, best.calls[-1].turn)
    files = (best.calls[0].path,) if best.calls[0].path else ()
    return Sign(best.weight, threshold, Evidence(text, len(best.calls), turns, files))


def _reading(calls: list[ToolCall], threshold: int, span: int) -> Sign | None:
    """The part of a file that is read most often within a span of turns while it stays as it was."""
    rows: dict[int, list[ToolCall]] = {}
    best: list[ToolCall] = []
    commands = 0
    ran: dict[int, int] = {}
    """By call, how many commands had been run before it."""
    for call in calls:
        commands += call.kind == "command"
        if call.is_edit:
            rows = {made: row for made, row in rows.items() if row[-1].path != call.path}
        if not call.is_read or not call.is_done:
            continue
        row = rows.setdefault(call.fingerprint, [])
        if row and row[-1].outcome != call.outcome and ran.get(call.fingerprint) != commands:
            row.clear()  # a command may have changed the file
        row.append(call)
        ran[call.fingerprint] = commands
        while call.turn - row[0].turn >= span:
            del row[0]
        if len(row) >= len(best):
            best = list(row)
    if not best:
        return None
    text = f"the same part of a file was read {len(best)} times, without an edit of it in between"
    evidence = Evidence(text, len(best), (best[0].turn, best[-1].turn), (best[0].path,))
    return Sign(len(best), threshold, evidence)


def _floundering(calls: list[ToolCall]) -> Sign | None:
    newest = [call for call in calls if call.state != WAITING][-_NEWEST:]
    failed = [call for call in newest if call.state == FAILED]
    if not failed:
        return None
    files = tuple(dict.fromkeys(call.path for call in failed if call.path))[:MOST_FILES]
    text = f"{len(failed)} of the last {len(newest)} calls failed"
    return Sign(len(failed), _MOST_FAILED, Evidence(text, len(failed), (failed[0].turn, failed[-1].turn), files))
