import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from monitor.pivot import state as states
from monitor.pivot.state import LastPivot, PivotReminder, SessionState, SessionUsage
from monitor.session import Session
from shared import paths, pruning
from shared.config import Config, Window
from shared.levels import Level, PivotLevel
from shared.limit import Limit
from shared.reading import Reading
from shared.verdict import Verdict

SESSION = "5e55104e-0000-4000-8000-000000000001"
FIELDS = [
    "session_id", "session_start", "tool_calls", "estimated_tokens", "context_percent", "context_source",
    "thresholds_triggered", "degradation_patterns", "last_pivot", "warnings_shown", "auto_export_enabled",
]  # fmt: skip
COUNT = """
import sys
import msgspec
sys.path.insert(0, sys.argv[1])
from monitor.pivot import state
for _ in range(50):
    with state.hold(sys.argv[2], sys.argv[3]) as held:
        held.state = msgspec.structs.replace(held.state, tool_calls=held.state.tool_calls + 1)
"""


def write(root: Path, document: bytes) -> Path:
    path = Path(paths.pivot(str(root), SESSION))
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(document)
    return path


def test_the_file_has_the_agreed_fields(root: Path) -> None:
    states.record(str(root), SESSION, LastPivot("export", "2026-01-22T10:00:00Z", "person", ("/x",)))
    document = json.loads(Path(paths.pivot(str(root), SESSION)).read_bytes())
    assert list(document) == FIELDS
    assert document["last_pivot"]["strategy"] == "export"
    assert SessionState(SESSION).last_pivot is None


@pytest.mark.parametrize(
    "document", [b"", b"{", b"[]", b"null", b'{"session_id": 5}', b"\xff\xfe", b'{"session_id": "another"}']
)
def test_a_damaged_state_counts_as_the_first(root: Path, document: bytes) -> None:
    write(root, document)
    assert states.read(str(root), SESSION) is None
    states.reset(str(root), SESSION)
    states.record(str(root), SESSION, LastPivot("spawn", "now", "person"))
    assert states.read(str(root), SESSION) == SessionState(SESSION, last_pivot=LastPivot("spawn", "now", "person"))


@pytest.mark.parametrize("document", [b"{", b"\x00" * 4096, b'{"level": 9}', b"[" * 4000])
def test_a_damaged_crossing_counts_as_the_first(root: Path, document: bytes) -> None:
    path = Path(paths.pivot_reminder(str(root), SESSION))
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(document)
    with states.hold(str(root), SESSION) as held:
        assert held.reminder == PivotReminder()


def test_the_longest_notice_does_not_damage_what_it_stands_beside(root: Path) -> None:
    known = PivotReminder(level=PivotLevel.EMERGENCY, is_news=True, notice="\x01" * 8_000)
    with states.hold(str(root), SESSION) as held:
        held.reminder = known
    with states.hold(str(root), SESSION) as held:
        assert held.reminder == known
    assert states.take_notice(str(root), SESSION) == known.notice
    assert states.take_notice(str(root), SESSION) is None


def test_a_reset_clears_what_was_told_and_re_arms(root: Path) -> None:
    known = SessionState(SESSION, tool_calls=3, thresholds_triggered=("warning", "alert"), warnings_shown=1)
    with states.hold(str(root), SESSION) as held:
        held.state, held.reminder = known, PivotReminder(PivotLevel.ALERT)
    states.reset(str(root), SESSION)
    with states.hold(str(root), SESSION) as held:
        assert held.state == SessionState(SESSION, tool_calls=3)
        assert held.reminder == PivotReminder()


def test_who_fails_changes_nothing(root: Path) -> None:
    with pytest.raises(ZeroDivisionError), states.hold(str(root), SESSION) as held:
        held.state = SessionState(SESSION, tool_calls=1 // 0)
    assert states.read(str(root), SESSION) is None


def test_parallel_processes_take_turns(root: Path) -> None:
    command = [sys.executable, "-c", COUNT, str(Path(__file__).parents[3]), str(root), SESSION]
    running = [subprocess.Popen(command) for _ in range(3)]
    assert [process.wait(60) for process in running] == [0, 0, 0]
    found = states.read(str(root), SESSION)
    assert found is not None
    assert found.tool_calls == 150


@pytest.mark.skipif(os.name == "nt", reason="modes of POSIX")
def test_it_is_private(root: Path) -> None:
    states.record(str(root), SESSION, LastPivot("spawn", "now", "person"))
    assert Path(paths.pivot(str(root), SESSION)).stat().st_mode & 0o777 == 0o600


def test_it_is_pruned_with_the_session(root: Path) -> None:
    states.record(str(root), SESSION, LastPivot("spawn", "now", "person"))
    directory = paths.run_directory(str(root))
    for name in os.listdir(directory):
        os.utime(os.path.join(directory, name), (0, 0))
    pruning.prune(directory, pruning.KEPT_SECONDS + 1)
    assert os.listdir(directory) == []


def session_of(root: Path, **fields: Any) -> Session:
    return Session(str(root), Config(**fields), {}, 1_767_225_600.0)


@pytest.mark.parametrize(
    ("calls", "window", "expected"),
    [
        (10, None, SessionUsage(2.5, 5_000, 200_000, "tool_calls", 10, 1_767_225_600.0)),
        (10, 100_000, SessionUsage(5.0, 5_000, 100_000, "tool_calls", 10, 1_767_225_600.0)),
        (1_000, None, SessionUsage(100.0, 500_000, 200_000, "tool_calls", 1_000, 1_767_225_600.0)),
    ],
)
def test_without_a_reading_tool_calls_are_counted(
    root: Path, calls: int, window: int | None, expected: SessionUsage
) -> None:
    session = session_of(root, window=Window(size=window))
    assert states.session_usage(None, session, calls) == expected


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ((20, 160_000, 200_000), (80.0, 160_000, 200_000)),
        ((20, None, None), (80.0, 160_000, 200_000)),
        ((None, 90_000, None), (0.0, 90_000, 0)),
        ((None, None, None), (0.0, 0, 0)),
    ],
)
def test_a_reading_counts_as_far_as_it_goes(
    root: Path, given: tuple[float | None, int | None, int | None], expected: tuple[float, int, int]
) -> None:
    reading = Reading(*given, "bridge", "bridge", 7.0)
    assert states.session_usage(reading, session_of(root), 3) == SessionUsage(*expected, "bridge", 3, 7.0)


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
    reading = Reading(100 - tokens / 2_000, tokens, 200_000, "bridge", "bridge", 7.0)
    verdict = Verdict(reading, Level.NORMAL, Limit(limit, "set", is_compacted=True))
    assert level(root, tokens // 2_000, verdict) is expected


def test_without_a_verdict_the_percentage_decides(root: Path) -> None:
    assert level(root, 70, None) is PivotLevel.ALERT


def test_what_is_exhausted_is_an_emergency_and_what_is_unknown_is_normal(root: Path) -> None:
    known = Reading(40, 120_000, 200_000, "bridge", "bridge", 7.0)
    unknown = Reading(None, 120_000, None, "bridge", "unknown", 7.0)
    assert level(root, 60, Verdict(known, Level.EXHAUSTED)) is PivotLevel.EMERGENCY
    assert level(root, 60, Verdict(unknown, Level.NORMAL)) is PivotLevel.NORMAL


def test_what_is_measured_is_kept_with_the_sessions_first_moment(root: Path) -> None:
    usage = SessionUsage(12.34567891, 24_691, 200_000, "bridge", 3, 7.0)
    found = states.measured(SessionState(SESSION), usage, session_of(root))
    assert found == SessionState(SESSION, "2026-01-01T00:00:00Z", 3, 24_691, 0.123457, "bridge")
    later = Session(str(root), Config(), {}, 1_767_229_200.0)
    assert states.measured(found, usage, later).session_start == "2026-01-01T00:00:00Z"
