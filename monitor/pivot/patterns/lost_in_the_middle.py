"""Lost in the middle: what the session began with has to be looked up again and again."""

from monitor.activity.tool_calls import ToolCall, ToolCallLog
from monitor.pivot.patterns.finding import MOST_FILES, Evidence, Finding, Sign, finding
from shared.config import PivotPatterns

NAME = "lost-in-the-middle"


def find(log: ToolCallLog, settings: PivotPatterns) -> Finding | None:
    """Files of the first third of the turns that are read again after a long gap, often and beside little else."""
    again, weight, later = _read_again(log, settings.lost_gap_turns)
    if not again or weight < settings.lost_share * later:
        return None
    counts: dict[str, int] = {}
    for call in again:
        counts[call.path] = counts.get(call.path, 0) + 1
    files = sorted(counts, key=lambda path: -counts[path])
    text = (
        f"{len(again)} of the {later} reads since the first third of the session are of files that it began with,"
        f" {settings.lost_gap_turns} turns or more after it last had them in hand"
    )
    evidence = Evidence(text, len(again), (again[0].turn, again[-1].turn), tuple(files[:MOST_FILES]))
    return finding(NAME, [Sign(weight, settings.lost_rereads, evidence)])


def _read_again(log: ToolCallLog, gap: int) -> tuple[list[ToolCall], float, int]:
    """The reads that count, what they weigh, and how many reads there were after the first third.

    One that the person has asked anew before, and that leads to an edit, weighs half: it may well be another task.
    """
    worked_on = {(call.path, call.prompt) for call in log.calls if call.is_edit}
    until, later, weight = log.early_until, 0, 0.0
    again: list[ToolCall] = []
    touched: dict[str, ToolCall] = {}
    """When each early file was last in hand."""
    parts: dict[str, set[int]] = {}
    """What of it was seen: 0 is all of it."""
    for call in log.calls:
        if not call.path or not call.is_done or not (call.is_read or call.is_edit):
            continue
        before = touched.get(call.path)
        if call.is_read and call.turn > until:
            later += 1
            is_known = call.kind == "read" or bool(parts.get(call.path, set()) & {0, call.fingerprint})
            if before is not None and is_known and call.turn - before.turn >= gap:
                again.append(call)
                is_asked_for = call.prompt != before.prompt and (call.path, call.prompt) in worked_on
                weight += 0.5 if is_asked_for else 1
        if call.turn <= until or before is not None:
            touched[call.path] = call
            parts.setdefault(call.path, set()).add(call.fingerprint if call.kind == "part" else 0)
    return again, weight, later
