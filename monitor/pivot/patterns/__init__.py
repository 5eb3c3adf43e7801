"""The patterns of a degrading session, each detected by a deterministic rule of its own, with its evidence."""

from monitor.activity.tool_calls import ToolCallLog
from monitor.pivot.patterns import clash, confusion, distraction, lost_in_the_middle
from monitor.pivot.patterns.finding import Finding

PATTERNS = {module.NAME: module.find for module in (lost_in_the_middle, distraction, confusion, clash)}
"""The patterns; of findings with the same score, the first counts."""


def find_all(log: ToolCallLog) -> tuple[Finding, ...]:
    """The findings of all patterns that show; those that count first, the highest score first."""
    findings = [finding for find in PATTERNS.values() if (finding := find(log)) is not None]
    return tuple(sorted(findings, key=lambda finding: (not finding.counts, -finding.score)))
