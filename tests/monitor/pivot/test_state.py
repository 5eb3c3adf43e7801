import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from monitor.pivot import state as states
from monitor.pivot.state import LastPivot, PivotReminder, SessionState
from shared import paths, pruning
from shared.levels import PivotLevel

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
