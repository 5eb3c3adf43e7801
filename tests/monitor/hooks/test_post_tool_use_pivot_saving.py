"""What the pivot saves at tool results, and what it says about it."""

import errno
import os
import subprocess
from pathlib import Path
from unittest.mock import Mock

import pytest

from monitor.numbered_folder import OutsideProjectError
from monitor.pivot import analysis, announcement
from monitor.pivot.patterns.finding import Evidence, Finding
from monitor.pivot.strategies import export
from shared.secrets.masking import MASK
from shared.text.plain import elide
from tests import scratch
from tests.monitor.exports import exported
from tests.monitor.hooks.pivot_turns import (
    CRITICAL,
    EMERGENCY,
    EXPORTS,
    FIRST_COMPACTED,
    LAST_COMPACTED,
    environment,
    state,
    take_notice,
    turn,
)
from tests.monitor.scene import NORMAL, Scene
from tests.shared.credentials import KEYS

pytestmark = pytest.mark.usefixtures("never_compacted")


def test_an_export_before_a_compaction_is_a_setting(
    scene: Scene, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DISABLE_AUTO_COMPACT")
    scene.configure("pivot.export_before_compaction = true")
    turn(scene, LAST_COMPACTED, cwd=str(project))
    assert [path.name for path in (project / EXPORTS).iterdir()] == ["001-export"]


def test_an_emergency_saves_the_session_once(scene: Scene, project: Path) -> None:
    fields = {"cwd": str(project)}
    answers = [turn(scene, tokens, **fields) for tokens in (EMERGENCY, EMERGENCY, EMERGENCY + 5_000)]
    assert [answer.kinds for answer in answers] == ["pa", "", ""]
    folders = sorted(path.name for path in (project / EXPORTS).iterdir())
    assert len(folders) == 2
    last = state(scene).last_pivot
    assert last is not None
    assert (last.strategy, last.trigger) == ("spawn", "emergency")
    assert all(Path(path).exists() for path in last.files)
    assert answers[0].notice == f"The session is being exported to {EXPORTS}/001-export."
    assert answers[0].output == f"{answers[0].notice} Tell the user."


def test_each_crossing_saves_again_without_overwriting(scene: Scene, project: Path) -> None:
    turn(scene, EMERGENCY, cwd=str(project))
    exported(project / EXPORTS / "001-export")
    before = {path: path.read_bytes() for path in (project / EXPORTS).rglob("*") if path.is_file()}
    turn(scene, NORMAL, cwd=str(project))
    turn(scene, EMERGENCY, cwd=str(project))
    assert {path: path.read_bytes() for path in before} == before
    assert len(list((project / EXPORTS).iterdir())) == 4


def test_an_emergency_saves_nothing_if_switched_off(scene: Scene, project: Path) -> None:
    scene.configure("pivot.auto_export_enabled = false")
    answer = turn(scene, EMERGENCY, cwd=str(project))
    assert (answer.notice, answer.output) == ("", "")
    assert not (project / EXPORTS).exists()
    assert (state(scene).auto_export_enabled, state(scene).last_pivot) == (False, None)


def test_an_emergency_without_a_project_saves_nothing(scene: Scene) -> None:
    answer = turn(scene, EMERGENCY)
    assert (answer.notice, answer.output, state(scene).last_pivot) == ("", "", None)


def test_what_fails_is_said_with_its_reason_and_the_rest_goes_on(scene: Scene, project: Path) -> None:
    (project / ".claude").write_text("a file in the way")
    answer = turn(scene, EMERGENCY, cwd=str(project))
    reason = f"Not a directory: {os.path.realpath(project)}{os.sep}.claude"
    assert answer.notice == f"The session's export failed: {elide(reason, 90)}."
    assert answer.output == f"{answer.notice} Tell the user."
    assert scene.turn(EMERGENCY) == ["EXHAUSTED"]


@pytest.mark.parametrize(
    ("problem", "reason"),
    [
        (OSError(errno.EROFS, "Read-only file system", "/shop"), "Read-only file system: /shop"),
        (
            OSError(errno.EROFS, "Read-only file system", f"/{KEYS['github']}/a\x1b[2J\nb"),
            f"Read-only file system: /{MASK}/a b",
        ),
        (OSError("no free number in /shop"), "no free number in /shop"),
        (OutsideProjectError("/shop/.claude leads out of the project"), "/shop/.claude leads out of the project"),
        (KeyError("a bug"), "tidegauge.log says why"),
    ],
)
def test_every_reason_is_one_plain_line(
    scene: Scene, project: Path, monkeypatch: pytest.MonkeyPatch, problem: Exception, reason: str
) -> None:
    monkeypatch.setattr(announcement, "carry_out", Mock(side_effect=problem))
    notice = turn(scene, EMERGENCY, cwd=str(project)).notice or ""
    assert notice.startswith("The session's export failed: ")
    assert notice.endswith(f"{reason}.")


def test_a_prompt_for_a_new_session_is_no_export(scene: Scene, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "_LARGEST_UNASKED", 10)
    answer = turn(scene, EMERGENCY, cwd=str(project))
    assert (answer.notice or "").startswith("The session's export failed: too large for an export that nobody asked")
    assert [path.name for path in (project / EXPORTS).iterdir()] == ["001-spawn"]


def test_parallel_processes_tell_a_crossing_once(scene: Scene, project: Path) -> None:
    names = [f"toolu_{number}" for number in range(4)]
    scene.transcript.answer(EMERGENCY, tool_use_ids=names)
    running = []
    for name in names:
        process = subprocess.Popen(
            scratch.command(scene.root),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment(scene),
        )
        running.append((process, scene.stdin(name, cwd=str(project))))
    outputs = [process.communicate(stdin, timeout=60)[0] for process, stdin in running]
    assert sum(b"Tell the user." in each for each in outputs) == 1
    assert take_notice(scene)
    assert len(os.listdir(project / EXPORTS)) == 2
    assert scratch.log(scene.root) == []


def test_from_critical_on_a_degrading_session_is_not_exported_unasked(
    scene: Scene, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    finding = Finding("clash", 0.9, (Evidence("an edit was taken back", 3, (1, 9)),))
    monkeypatch.setattr(analysis, "find_all", lambda *_: (finding,))

    assert "--pivot export" in turn(scene, CRITICAL, cwd=str(project)).context

    assert not (project / EXPORTS).exists()
    assert state(scene).degradation_patterns == ("clash",)
    assert len(list((project / ".claude" / "tidegauge" / "checkpoints").glob("*-checkpoint.json"))) >= 1


def test_from_critical_on_a_healthy_session_only_gets_a_message(scene: Scene, project: Path) -> None:
    assert "--pivot export" in turn(scene, CRITICAL, cwd=str(project)).context
    assert not (project / EXPORTS).exists()


def test_no_strategy_that_ends_the_session_is_recommended_if_the_client_compacts(
    scene: Scene, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DISABLE_AUTO_COMPACT")
    scene.configure("pivot.export_before_compaction = false")
    levels = (FIRST_COMPACTED - 1, FIRST_COMPACTED, LAST_COMPACTED - 1, LAST_COMPACTED)
    answers = [turn(scene, tokens, cwd=str(project)) for tokens in levels]
    assert [answer.notice for answer in answers] == ["", "", None, ""]
    assert [answer.output for answer in answers] == [""] * 4
    assert not (project / EXPORTS).exists()
    assert state(scene).thresholds_triggered == ("warning", "alert", "critical", "emergency")
