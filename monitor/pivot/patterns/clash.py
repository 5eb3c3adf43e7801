"""Clash: edits that contradict each other."""

from monitor.activity import fingerprint
from monitor.activity.tool_calls import ToolCall, ToolCallLog
from monitor.pivot.patterns.finding import MOST_FILES, Evidence, Finding, Sign, finding
from shared.config import PivotPatterns

NAME = "clash"
_FREE_VERSIONS = 3
"""How many versions of the same lines are nothing but work; each one more counts as a reversal."""

_MOST_EDITS = 100
"""Of one file that are compared, the newest."""


def find(log: ToolCallLog, settings: PivotPatterns) -> Finding | None:
    """Lines that are brought back after they were taken away, edits that are written over, ever new versions."""
    undoing: list[ToolCall] = []
    edits: dict[str, list[ToolCall]] = {}
    for call in log.calls:
        if not call.is_edit:
            continue
        before = edits.setdefault(call.path, [])
        if call.discards or _brings_back(call, before):
            undoing.append(call)
        before.append(call)
        del before[:-_MOST_EDITS]
    restless = max((_versions(file) for file in edits.values()), key=len, default=[])
    signs = []
    if undoing:
        text = f"{len(undoing)} edits undo what the session had written in the same lines"
        paths = [call.path for call in undoing]
        files = sorted(dict.fromkeys(paths), key=lambda path: -paths.count(path))
        turns = (undoing[0].turn, undoing[-1].turn)
        evidence = Evidence(text, len(undoing), turns, tuple(files[:MOST_FILES]))
        signs.append(Sign(len(undoing), settings.clash_reversals, evidence))
    if len(restless) > _FREE_VERSIONS:
        text = f"the same lines were written in {len(restless)} versions, each instead of the one before it"
        evidence = Evidence(text, len(restless), (restless[0].turn, restless[-1].turn), (restless[0].path,))
        signs.append(Sign(len(restless) - _FREE_VERSIONS, settings.clash_reversals, evidence))
    return finding(NAME, signs)


def _brings_back(call: ToolCall, before: list[ToolCall]) -> bool:
    """Whether an edit restores what an earlier one of the same file took away.

    A passage that is cut in one place and put in at another was never the session's own: that is a move.
    """
    if call.kind == "write":
        versions = [other.fingerprint for other in before if other.kind == "write"]
        return call.fingerprint in versions[:-1] and versions[-1] != call.fingerprint
    own: set[int] = set()
    """The lines that the session itself had written before `other`."""
    for other in before:
        if fingerprint.overlap(call.added, other.removed):
            is_swap = fingerprint.overlap(call.removed, other.added)
            if is_swap or fingerprint.overlap(call.added, own):
                return True
        own.update(other.added)
    return False


def _versions(edits: list[ToolCall]) -> list[ToolCall]:
    """The longest row of edits each of which replaces the lines that the one before it had brought."""
    rows: list[list[ToolCall]] = []
    for call in edits:
        continued = (row for row in reversed(rows) if call.added and fingerprint.overlap(call.removed, row[-1].added))
        rows.append([*next(continued, []), call])
    return max(rows, key=len, default=[])
