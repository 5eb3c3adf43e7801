"""Lost in the middle: what the session began with has to be looked up again and again."""

from monitor.activity.tool_calls import History, Step
from monitor.pivot.patterns.finding import MOST_FILES, Evidence, Finding, Sign, finding
from shared.config import PivotPatterns

NAME = "lost-in-the-middle"


def find(history: History, settings: PivotPatterns) -> Finding | None:
    """Files of the first third of the turns that are read again after a long gap, often and beside little else."""
    again, weight, later = _read_again(history, settings.lost_gap_turns)
    if not again or weight < settings.lost_share * later:
        return None
    counts: dict[str, int] = {}
    for step in again:
        counts[step.path] = counts.get(step.path, 0) + 1
    files = sorted(counts, key=lambda path: -counts[path])
    text = (
        f"{len(again)} of the {later} reads since the first third of the session are of files that it began with,"
        f" {settings.lost_gap_turns} turns or more after it last had them in hand"
    )
    evidence = Evidence(text, len(again), (again[0].turn, again[-1].turn), tuple(files[:MOST_FILES]))
    return finding(NAME, [Sign(weight, settings.lost_rereads, evidence)])


def _read_again(history: History, gap: int) -> tuple[list[Step], float, int]:
    """The reads that count, what they weigh, and how many reads there were after the first third.

    One that the person has asked anew before, and that leads to an edit, weighs half: it may well be another task.
    """
    worked_on = {(step.path, step.prompt) for step in history.steps if step.is_edit}
    until, later, weight = history.early_until, 0, 0.0
    again: list[Step] = []
    touched: dict[str, Step] = {}
    """When each early file was last in hand."""
    parts: dict[str, set[int]] = {}
    """What of it was seen: 0 is all of it."""
    for step in history.steps:
        if not step.path or not step.is_done or not (step.is_read or step.is_edit):
            continue
        before = touched.get(step.path)
        if step.is_read and step.turn > until:
            later += 1
            is_known = step.kind == "read" or bool(parts.get(step.path, set()) & {0, step.call})
            if before is not None and is_known and step.turn - before.turn >= gap:
                again.append(step)
                is_asked_for = step.prompt != before.prompt and (step.path, step.prompt) in worked_on
                weight += 0.5 if is_asked_for else 1
        if step.turn <= until or before is not None:
            touched[step.path] = step
            parts.setdefault(step.path, set()).add(step.call if step.kind == "part" else 0)
    return again, weight, later
