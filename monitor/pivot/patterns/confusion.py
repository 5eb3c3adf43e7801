"""Confusion: the session does the same thing again, although nothing has changed since."""

from monitor.activity.tool_calls import DONE, FAILED, WAITING, History, Step
from monitor.pivot.patterns.finding import MOST_FILES, Evidence, Finding, Sign, finding
from shared.config import PivotPatterns

NAME = "confusion"
_NEWEST, _MOST_FAILED = 20, 12
"""Of the newest calls, how many may fail before it is a sign of its own."""


def find(history: History, settings: PivotPatterns) -> Finding | None:
    """The same call fails in a row; the same part of a file is read in a row; most calls fail."""
    signs = [
        _failing(history.steps, settings.confusion_failures),
        _reading(history.steps, settings.confusion_reads, settings.confusion_span_turns),
        _floundering(history.steps),
    ]
    return finding(NAME, [sign for sign in signs if sign is not None])


class _Run:
    """Failures of one call, one after the other."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.weight = 0.0
        self.edits = 0


def _failing(steps: list[Step], threshold: int) -> Sign | None:
    """The longest row of failures. After an edit, one that fails in the same way counts half, in another way anew."""
    runs: dict[int, _Run] = {}
    edits, best = 0, _Run()
    for step in steps:
        edits += step.is_edit
        if step.state == DONE:
            runs.pop(step.call, None)
        if step.state != FAILED:
            continue
        run = runs.setdefault(step.call, _Run())
        if run.steps and run.edits != edits and run.steps[-1].outcome != step.outcome:
            run = runs[step.call] = _Run()
        run.weight += 1 if not run.steps or run.edits == edits else 0.5
        run.steps.append(step)
        run.edits = edits
        best = max(best, run, key=lambda one: one.weight)
    if not best.steps:
        return None
    kind = "command" if best.steps[0].kind == "command" else "call"
    text = f"the same {kind} failed {len(best.steps)} times in a row, with nothing gained in between"
    turns = (best.steps[0].turn, best.steps[-1].turn)
    files = (best.steps[0].path,) if best.steps[0].path else ()
    return Sign(best.weight, threshold, Evidence(text, len(best.steps), turns, files))


def _reading(steps: list[Step], threshold: int, span: int) -> Sign | None:
    """The part of a file that is read most often within a span of turns while it stays as it was."""
    rows: dict[int, list[Step]] = {}
    best: list[Step] = []
    commands = 0
    ran: dict[int, int] = {}
    """By call, how many commands had been run before it."""
    for step in steps:
        commands += step.kind == "command"
        if step.is_edit:
            rows = {call: row for call, row in rows.items() if row[-1].path != step.path}
        if not step.is_read or not step.is_done:
            continue
        row = rows.setdefault(step.call, [])
        if row and row[-1].outcome != step.outcome and ran.get(step.call) != commands:
            row.clear()  # a command may have changed the file
        row.append(step)
        ran[step.call] = commands
        while step.turn - row[0].turn >= span:
            del row[0]
        if len(row) >= len(best):
            best = list(row)
    if not best:
        return None
    text = f"the same part of a file was read {len(best)} times, without an edit of it in between"
    evidence = Evidence(text, len(best), (best[0].turn, best[-1].turn), (best[0].path,))
    return Sign(len(best), threshold, evidence)


def _floundering(steps: list[Step]) -> Sign | None:
    newest = [step for step in steps if step.state != WAITING][-_NEWEST:]
    failed = [step for step in newest if step.state == FAILED]
    if not failed:
        return None
    files = tuple(dict.fromkeys(step.path for step in failed if step.path))[:MOST_FILES]
    text = f"{len(failed)} of the last {len(newest)} calls failed"
    return Sign(len(failed), _MOST_FAILED, Evidence(text, len(failed), (failed[0].turn, failed[-1].turn), files))
