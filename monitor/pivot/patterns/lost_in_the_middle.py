"""Lost in the middle: what the session began with has to be looked up again and again."""

from monitor.pivot.history import DONE, History, Step
from monitor.pivot.patterns.finding import MOST_FILES, Evidence, Finding, Sign, finding
from shared.config import PivotPatterns

NAME = "lost-in-the-middle"


def find(history: History, settings: PivotPatterns) -> Finding | None:
    """Files of the first third of the turns that are read again after a long gap, often and beside little else."""
    again, later = _read_again(history, settings.lost_gap_turns)
    if len(again) < settings.lost_rereads or len(again) < settings.lost_share * later:
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
    return finding(NAME, [Sign(len(again), settings.lost_rereads, evidence)])


def _read_again(history: History, gap: int) -> tuple[list[Step], int]:
    """The reads that count, and how many reads there were after the first third."""
    until, later, again = history.early_until, 0, []
    touched: dict[str, int] = {}
    """The turn in which each early file was last in hand."""
    parts: dict[str, set[int]] = {}
    """What of it was seen: 0 is all of it."""
    for step in history.steps:
        if not step.path or step.state != DONE or not (step.is_read or step.is_edit):
            continue
        if step.is_read and step.turn > until:
            later += 1
            is_known = 0 in parts.get(step.path, ()) or step.call in parts.get(step.path, ()) or step.kind == "read"
            if step.path in touched and is_known and step.turn - touched[step.path] >= gap:
                again.append(step)
        if step.turn <= until or step.path in touched:
            touched[step.path] = step.turn
            parts.setdefault(step.path, set()).add(step.call if step.kind == "part" else 0)
    return again, later
