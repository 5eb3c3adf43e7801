"""The best strategy for a session, from one table of its level, its patterns and the kind of its work."""

import enum
import os
from collections.abc import Collection
from typing import Literal, NamedTuple

import msgspec

from monitor.activity.activity import Activity
from monitor.pivot.patterns.finding import Finding
from shared.gauge.levels import PivotLevel
from shared.text.quantities import counted


class Complexity(msgspec.Struct, frozen=True):
    kind: Literal["simple", "complex", "research"]
    reasons: tuple[str, ...]


class Strategy(enum.StrEnum):
    """The strategies for a session; the last four can be carried out."""

    NOTHING = "nothing"
    MONITOR = "monitor"
    CONTINUE = "continue"
    CHUNK = "chunk"
    COMPRESS = "compress"
    EXPORT = "export"
    SPAWN = "spawn"


ANY, NONE = "any", "none"


class MatrixRow(NamedTuple):
    level: PivotLevel
    pattern: str
    complexity: str
    strategy: Strategy
    label: str


_NORMAL, _WARNING, _ALERT, _CRITICAL, _EMERGENCY = PivotLevel

MATRIX = (
    MatrixRow(_WARNING, NONE, ANY, Strategy.MONITOR, "Monitor only"),
    MatrixRow(_WARNING, "lost-in-the-middle", "complex", Strategy.CHUNK, "Suggest chunking"),
    MatrixRow(_ALERT, NONE, "simple", Strategy.CONTINUE, "Continue"),
    MatrixRow(_ALERT, "distraction", ANY, Strategy.COMPRESS, "Compress context"),
    MatrixRow(_ALERT, ANY, "research", Strategy.CHUNK, "Chunk to sub-agents"),
    MatrixRow(_CRITICAL, NONE, ANY, Strategy.EXPORT, "Recommend /export"),
    MatrixRow(_CRITICAL, ANY, ANY, Strategy.EXPORT, "Auto-export + checkpoint"),
    MatrixRow(_EMERGENCY, ANY, ANY, Strategy.SPAWN, "Emergency spawn"),
)
"""The first row that fits counts, so one that names a pattern comes before one for any pattern."""

OTHERWISE = (
    MatrixRow(_NORMAL, ANY, ANY, Strategy.NOTHING, "Nothing to do"),
    MatrixRow(_WARNING, ANY, ANY, Strategy.MONITOR, "Monitor only"),
    MatrixRow(_ALERT, NONE, ANY, Strategy.CONTINUE, "Continue"),
    MatrixRow(_ALERT, ANY, ANY, Strategy.COMPRESS, "Compress context"),
)
"""The cells that no row of the matrix covers."""


class Decision(msgspec.Struct, frozen=True):
    strategy: Strategy
    label: str
    reasons: tuple[str, ...]
    """Only our own words and numbers."""


def complexity_of(activity: Activity) -> Complexity:
    """The complexity of the work since the last compaction."""
    calls = activity.log.calls
    edits = [call for call in calls if call.is_edit]
    looks = sum(call.is_read or call.kind == "search" for call in calls)
    if looks >= max(15, 10 * len(edits)):
        return Complexity("research", (f"{looks} reads and searches, {counted(len(edits), 'edit')}",))
    files = {call.path for call in edits}
    signals = (  # each with the least number that makes the work complex
        (len(files), "edited file", 6),
        (len({os.path.dirname(path) for path in files}), "edited directory", 3),
        (len(activity.open_tasks), "open task", 5),
        (sum(call.kind == "delegate" for call in calls), "subagent", 3),
    )
    since = "" if not activity.compacted_at else " since the last compaction"
    reasons = tuple(counted(number, name) for number, name, least in signals if number >= least)
    return Complexity("complex" if reasons else "simple", reasons or (f"{counted(len(files), 'file')} edited{since}",))


def decide(level: PivotLevel, findings: tuple[Finding, ...], complexity: Complexity) -> Decision:
    ranked = sorted((finding for finding in findings if finding.counts), key=lambda finding: -finding.score)
    row = row_of(level, {finding.name for finding in ranked}, complexity.kind)
    if level is PivotLevel.NORMAL:
        return Decision(row.strategy, row.label, ())
    reasons = [f"{finding.name} ({finding.score:.2f}): {finding.evidence[0].text}" for finding in ranked]
    reasons += [] if ranked else ["no sign that the session is degrading"]
    reasons.append(f"the work is {complexity.kind}: {', '.join(complexity.reasons)}")
    return Decision(row.strategy, row.label, tuple(reasons))


def row_of(level: PivotLevel, patterns: Collection[str], complexity: str) -> MatrixRow:
    names = {ANY, *(patterns or {NONE})}
    rows = (row for row in (*MATRIX, *OTHERWISE) if row.level is level)
    return next(row for row in rows if row.pattern in names and row.complexity in {ANY, complexity})
