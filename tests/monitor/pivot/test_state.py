import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from monitor.memory import memory as memories
from monitor.memory.memory import LastPivot, PivotState
from monitor.memory.reminder import Reminder
from monitor.pivot import state as states
from monitor.pivot.state import SessionUsage
from monitor.session import Session
from shared import paths
from shared.gauge.levels import Level, PivotLevel
from shared.gauge.limit import Limit
from shared.gauge.verdict import Verdict
from shared.gauge.window import Reading, WindowSource
from shared.settings.config import Config, Window

SESSION = "5e55104e-0000-4000-8000-000000000001"
FIELDS = [
    "session_id", "session_start", "tool_calls", "estimated_tokens", "context_percent", "context_source",
    "thresholds_triggered", "degradation_patterns", "last_pivot", "warnings_shown", "auto_export_enabled",
]  # fmt: skip


def test_it_is_printed_with_the_agreed_fields(root: Path) -> None:
    states.record(str(root), SESSION, LastPivot("export", "2026-01-22T10:00:00Z", "person", ("/x",)))
    document = json.loads(msgspec.json.encode(states.read(str(root), SESSION)))
    assert list(document) == FIELDS
    assert document["last_pivot"]["strategy"] == "export"


@pytest.mark.parametrize(
    "document",
    [b"", b"{", b"[]", b"null", b'{"pivot_state": {"session_id": 5}}', b'{"pivot_state": {"session_id": "another"}}'],
)
def test_a_damaged_state_counts_as_empty(root: Path, document: bytes) -> None:
    path = Path(paths.memory(str(root), SESSION))
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(document)
    assert states.read(str(root), SESSION) is None
    states.record(str(root), SESSION, LastPivot("spawn", "now", "person"))
    assert states.read(str(root), SESSION) == PivotState(SESSION, last_pivot=LastPivot("spawn", "now", "person"))


def test_a_session_remembered_only_by_other_parts_has_no_state(root: Path) -> None:
    with memories.locked(str(root), SESSION) as memory:
        memory.memory.offset = 5
    assert states.read(str(root), SESSION) is None


def test_a_reset_clears_reported_levels_and_re_arms(root: Path) -> None:
    before = PivotState(SESSION, tool_calls=3, thresholds_triggered=("warning", "alert"), warnings_shown=1)
    with memories.locked(str(root), SESSION) as locked:
        locked.memory.pivot_state, locked.memory.pivot = before, Reminder(PivotLevel.ALERT, counts={"2": 1})
        locked.memory.pivot_notice, locked.memory.level = "news", Reminder(Level.WARNING)
    states.reset(str(root), SESSION)
    memory = memories.read(str(root), SESSION)
    assert memory is not None
    assert (memory.pivot_state, memory.pivot) == (PivotState(SESSION, tool_calls=3), Reminder())
    assert memory.pivot_notice is None
    assert memory.level == Reminder(Level.WARNING)


def test_a_record_changes_nothing_else(root: Path) -> None:
    with memories.locked(str(root), SESSION) as locked:
        locked.memory.offset, locked.memory.pivot_state = 5, PivotState(SESSION, tool_calls=3)
    states.record(str(root), SESSION, LastPivot("spawn", "now", "person"))
    memory = memories.read(str(root), SESSION)
    assert memory is not None
    assert (memory.offset, memory.pivot_state.tool_calls) == (5, 3)


def session_of(root: Path, **fields: Any) -> Session:
    return Session(str(root), Config(**fields), {}, 1_767_225_600.0)


@pytest.mark.parametrize(
    ("calls", "window", "expected"),
    [
        (10, None, SessionUsage(2.5, 5_000, 200_000, "tool_calls", 10)),
        (10, 100_000, SessionUsage(5.0, 5_000, 100_000, "tool_calls", 10)),
        (1_000, None, SessionUsage(100.0, 500_000, 200_000, "tool_calls", 1_000)),
    ],
)
def test_without_a_reading_tool_calls_are_counted(
    root: Path, calls: int, window: int | None, expected: SessionUsage
) -> None:
    session = session_of(root, window=Window(size=window))
    assert states.session_usage(None, session, calls) == expected


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ((20, 160_000, 200_000), (80.0, 160_000, 200_000)),
        ((20, None, None), (80.0, 160_000, 200_000)),
        ((None, 90_000, None), (0.0, 90_000, 0)),
        ((None, None, None), (0.0, 0, 0)),
    ],
)
def test_a_partial_reading_counts(
    root: Path, arguments: tuple[float | None, int | None, int | None], expected: tuple[float, int, int]
) -> None:
    reading = Reading(*arguments, "bridge", WindowSource.BRIDGE, 7.0)
    assert states.session_usage(reading, session_of(root), 3) == SessionUsage(*expected, "bridge", 3, 1_767_225_593.0)


def level(root: Path, used: int, verdict: Verdict | None) -> PivotLevel:
    usage = SessionUsage(used, used * 2_000, 200_000, "bridge", 3, 7.0)
    return states.pivot_level(usage, verdict, session_of(root))


@pytest.mark.parametrize(
    ("tokens", "limit", "expected"),
    [
        (120_000, 131_000, PivotLevel.WARNING),
        (120_000, 130_000, PivotLevel.CRITICAL),
        (120_000, 100_000, PivotLevel.CRITICAL),
        (192_000, 200_000, PivotLevel.EMERGENCY),
    ],
)
def test_within_the_margin_of_the_limit_the_level_is_critical_at_least(
    root: Path, tokens: int, limit: int, expected: PivotLevel
) -> None:
    reading = Reading(100 - tokens / 2_000, tokens, 200_000, "bridge", WindowSource.BRIDGE, 7.0)
    verdict = Verdict(reading, Level.NORMAL, Limit(limit, "set", is_compacted=True))
    assert level(root, tokens // 2_000, verdict) is expected


def test_without_a_verdict_the_percentage_decides(root: Path) -> None:
    assert level(root, 70, None) is PivotLevel.ALERT


def test_exhausted_is_an_emergency_and_unknown_is_normal(root: Path) -> None:
    reading = Reading(40, 120_000, 200_000, "bridge", WindowSource.BRIDGE, 7.0)
    unknown = Reading(None, 120_000, None, "bridge", WindowSource.UNKNOWN, 7.0)
    assert level(root, 60, Verdict(reading, Level.EXHAUSTED)) is PivotLevel.EMERGENCY
    assert level(root, 60, Verdict(unknown, Level.NORMAL)) is PivotLevel.NORMAL


def test_measurements_are_kept_with_the_sessions_start(root: Path) -> None:
    usage = SessionUsage(12.34567891, 24_691, 200_000, "bridge", 3, 7.0)
    state = states.with_usage(PivotState(), SESSION, usage, session_of(root))
    assert state == PivotState(SESSION, "2026-01-01T00:00:00Z", 3, 24_691, 0.123457, "bridge")
    later = Session(str(root), Config(), {}, 1_767_229_200.0)
    assert states.with_usage(state, SESSION, usage, later).session_start == "2026-01-01T00:00:00Z"
