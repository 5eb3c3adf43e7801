"""Clash: edits that contradict each other."""

from monitor.activity import fingerprint
from monitor.activity.tool_calls import History, Step
from monitor.pivot.patterns.finding import MOST_FILES, Evidence, Finding, Sign, finding
from shared.config import PivotPatterns

NAME = "clash"
_FREE_VERSIONS = 3
"""How many versions of the same lines are nothing but work; each one more counts as a reversal."""

_MOST_EDITS = 100
"""Of one file that are compared, the newest."""


def find(history: History, settings: PivotPatterns) -> Finding | None:
    """Lines that are brought back after they were taken away, edits that are written over, ever new versions."""
    undoing: list[Step] = []
    edits: dict[str, list[Step]] = {}
    for step in history.steps:
        if not step.is_edit:
            continue
        before = edits.setdefault(step.path, [])
        if step.discards or _brings_back(step, before):
            undoing.append(step)
        before.append(step)
        del before[:-_MOST_EDITS]
    restless = max((_versions(file) for file in edits.values()), key=len, default=[])
    signs = []
    if undoing:
        text = f"{len(undoing)} edits undo what the session had written in the same lines"
        files = sorted({step.path for step in undoing}, key=lambda path: -sum(s.path == path for s in undoing))
        turns = (undoing[0].turn, undoing[-1].turn)
        evidence = Evidence(text, len(undoing), turns, tuple(files[:MOST_FILES]))
        signs.append(Sign(len(undoing), settings.clash_reversals, evidence))
    if len(restless) > _FREE_VERSIONS:
        text = f"the same lines were written in {len(restless)} versions, each instead of the one before it"
        evidence = Evidence(text, len(restless), (restless[0].turn, restless[-1].turn), (restless[0].path,))
        signs.append(Sign(len(restless) - _FREE_VERSIONS, settings.clash_reversals, evidence))
    return finding(NAME, signs)


def _brings_back(step: Step, before: list[Step]) -> bool:
    """Whether an edit restores what an earlier one of the same file took away.

    A passage that is cut in one place and put in at another was never the session's own: that is a move.
    """
    if step.kind == "write":
        versions = [other.call for other in before if other.kind == "write"]
        return step.call in versions[:-1] and versions[-1] != step.call
    own: set[int] = set()
    """The lines that the session itself had written before `other`."""
    for other in before:
        if fingerprint.overlap(step.added, other.removed):
            is_swap = fingerprint.overlap(step.removed, other.added)
            if is_swap or fingerprint.overlap(step.added, own):
                return True
        own.update(other.added)
    return False


def _versions(edits: list[Step]) -> list[Step]:
    """The longest row of edits each of which replaces the lines that the one before it had brought."""
    rows: list[list[Step]] = []
    for step in edits:
        continued = (row for row in reversed(rows) if step.added and fingerprint.overlap(step.removed, row[-1].added))
        rows.append([*next(continued, []), step])
    return max(rows, key=len, default=[])
