"""Every cell of the matrix: each level, each pattern and none, each kind of work."""

import itertools
from typing import Literal, get_args

import pytest

from monitor.pivot.decision import MATRIX, OTHERWISE, Complexity, Decision, Strategy, decide, row_of
from monitor.pivot.patterns import PATTERNS
from monitor.pivot.patterns.finding import Evidence, Finding
from shared.gauge.levels import PivotLevel, PivotLevels

Kind = Literal["simple", "complex", "research"]
KINDS: tuple[Kind, ...] = get_args(Kind)
LOST, DISTRACTION, CONFUSION, CLASH = "lost-in-the-middle", "distraction", "confusion", "clash"
NAMES = tuple(PATTERNS)
TABLE = """
    50-70  none               any       monitor   Monitor only
    50-70  lost-in-the-middle complex   chunk     Suggest chunking
    50-70  other              any       monitor   Monitor only
    70-85  none               simple    continue  Continue
    70-85  none               complex   continue  Continue
    70-85  none               research  chunk     Chunk to sub-agents
    70-85  distraction        any       compress  Compress context
    70-85  other              research  chunk     Chunk to sub-agents
    70-85  other              any       compress  Compress context
    85-95  none               any       export    Recommend /export
    85-95  other              any       export    Auto-export + checkpoint
    95-100 none               any       spawn     Emergency spawn
    95-100 other              any       spawn     Emergency spawn
"""
"""The first line that fits, as a person reads the seed and its gaps."""


def expected(percent: float, pattern: str, kind: str) -> tuple[str, str]:
    for line in TABLE.strip().splitlines():
        band, name, work, strategy, label = line.split(maxsplit=4)
        least, most = map(int, band.split("-"))
        is_inside = least <= percent < most or percent == most == 100
        if is_inside and work in {kind, "any"} and name in {pattern, "none" if pattern == "none" else "other"}:
            return strategy, label
    return "nothing", "Nothing to do"


def finding(name: str, score: float = 0.5) -> Finding:
    return Finding(name, score, (Evidence("it was seen", 3, (1, 9)),))


def decided(percent: float, *findings: Finding, kind: Kind = "simple", levels: PivotLevels | None = None) -> Decision:
    level = PivotLevel((levels or PivotLevels()).reached(percent))
    return decide(level, findings, Complexity(kind, ("3 files edited",)))


@pytest.mark.parametrize("percent", [0, 49.9, 50, 60, 69.9, 70, 80, 84.9, 85, 90, 94.9, 95, 100])
@pytest.mark.parametrize("pattern", ["none", *NAMES])
@pytest.mark.parametrize("kind", KINDS)
def test_every_cell_of_the_matrix_has_its_decision(percent: float, pattern: str, kind: Kind) -> None:
    findings = [] if pattern == "none" else [finding(pattern)]
    decision = decided(percent, *findings, kind=kind)
    assert (decision.strategy, decision.label) == expected(percent, pattern, kind)


def test_the_seeds_rows_are_in_its_order() -> None:
    rows = [(row.level.name, row.pattern, row.complexity, row.label) for row in MATRIX]
    assert rows == [
        ("WARNING", "none", "any", "Monitor only"),
        ("WARNING", "lost-in-the-middle", "complex", "Suggest chunking"),
        ("ALERT", "none", "simple", "Continue"),
        ("ALERT", "distraction", "any", "Compress context"),
        ("ALERT", "any", "research", "Chunk to sub-agents"),
        ("CRITICAL", "none", "any", "Recommend /export"),
        ("CRITICAL", "any", "any", "Auto-export + checkpoint"),
        ("EMERGENCY", "any", "any", "Emergency spawn"),
    ]


@pytest.mark.parametrize("level", PivotLevel)
@pytest.mark.parametrize("kind", KINDS)
def test_every_combination_of_patterns_has_a_row(level: PivotLevel, kind: Kind) -> None:
    for count in range(len(NAMES) + 1):
        for patterns in itertools.permutations(NAMES, count):
            assert row_of(level, patterns, kind) in (*MATRIX, *OTHERWISE)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("others", [(CONFUSION,), (CLASH, CONFUSION), (CONFUSION, CLASH)])
def test_among_several_patterns_one_with_its_own_row_decides(others: tuple[str, ...], kind: Kind) -> None:
    findings = [finding(name, 1) for name in others]
    assert decided(75, *findings, finding(DISTRACTION), kind=kind).strategy is Strategy.COMPRESS
    assert decided(60, *findings, finding(LOST), kind="complex").strategy is Strategy.CHUNK
    assert decided(90, *findings, finding(LOST), kind=kind).label == "Auto-export + checkpoint"


def test_the_clearest_pattern_is_told_first() -> None:
    reasons = decided(75, finding(CLASH, 0.5), finding(CONFUSION, 0.9)).reasons
    assert [reason.partition(" ")[0] for reason in reasons[:2]] == [CONFUSION, CLASH]


def test_the_bands_follow_the_persons_levels() -> None:
    assert decided(80).strategy is Strategy.CONTINUE
    assert decided(80, levels=PivotLevels(critical=80)).strategy is Strategy.EXPORT


def test_a_decision_has_its_reasons() -> None:
    decision = decided(84.9996, finding(CONFUSION, 0.75), kind="complex")
    assert decision.reasons == (
        "confusion (0.75): it was seen",
        "the work is complex: 3 files edited",
    )
    assert decided(72).reasons[0] == "no sign that the session is degrading"
    assert decided(12).reasons == ()


def test_a_finding_that_does_not_count_is_no_reason() -> None:
    unsure = Finding("distraction", 1, (Evidence("7 unrelated parts", 7, (1, 9)),), counts=False)
    calm = Complexity("simple", ("0 files edited",))
    assert decide(PivotLevel.ALERT, (unsure,), calm) == decide(PivotLevel.ALERT, (), calm)
