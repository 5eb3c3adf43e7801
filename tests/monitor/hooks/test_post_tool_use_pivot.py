"""The pivot's levels beside the results of tools: what is told, to whom, how often, and what is left on the disk."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from monitor import dispatch
from monitor.pivot import analysis
from monitor.pivot import state as states
from monitor.pivot.patterns.finding import Evidence, Finding
from monitor.pivot.state import SessionState
from shared import paths
from tests import scratch
from tests.monitor.scene import NORMAL, Scene

WARNING, ALERT, CRITICAL, EMERGENCY = 100_000, 140_000, 167_000, 169_000
"""The fewest tokens at which each of the pivot's levels begins, in a window of 200,000 tokens.

It is never compacted and ends at 177,000, and CRITICAL and EXHAUSTED come before that.
"""
FIRST_COMPACTED, LAST_COMPACTED = 157_000, 162_000
"""The fewest tokens of the last two where the client compacts at 167,000."""
EXPORTS = Path(".claude") / "tidegauge" / "exports"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    path = tmp_path / "shop"
    path.mkdir()
    return path


@pytest.fixture(autouse=True)
def _ending(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:  # after the scene has cleared the environment
    """Sessions end at their limit, which is where most of this happens."""
    monkeypatch.setenv("DISABLE_AUTO_COMPACT", "1")


class Answer:
    """What the agent is told of the pivot with one tool use, and what is kept for the person's next prompt."""

    def __init__(self, output: dict[str, Any], notice: str | None) -> None:
        assert output.keys() <= {"hookSpecificOutput"}
        self.notice = notice
        self.context = output.get("hookSpecificOutput", {}).get("additionalContext", "")
        told = [line for line in self.context.splitlines() if "worth suggesting" in line or "Tell the user." in line]
        self.said = "\n".join(told)

    @property
    def kinds(self) -> str:
        return "".join(letter for letter, is_told in (("p", self.notice is not None), ("a", self.said)) if is_told)


def turn(scene: Scene, tokens: int, **fields: Any) -> Answer:
    """One turn with one tool at `tokens` tokens."""
    return turns(scene, tokens, 1, **fields)[0]


def turns(scene: Scene, tokens: int, tools: int, **fields: Any) -> list[Answer]:
    """One turn with parallel tools."""
    names = [f"toolu_{scene.transcript.size}_{number}" for number in range(tools)]
    scene.transcript.answer(tokens, id=f"msg_{names[0]}", tool_use_ids=names)
    found = [called(scene, name, **fields) for name in names]
    for name in names:
        scene.transcript.result(name)
    return found


def called(scene: Scene, name: str, **fields: Any) -> Answer:
    """What one tool use brings."""
    return Answer(scene.answered(name, **fields), states.take_notice(str(scene.root), scene.session_id))


def kinds(scene: Scene, *tokens: int, **fields: Any) -> list[str]:
    return [turn(scene, each, **fields).kinds for each in tokens]


def environment(scene: Scene) -> dict[str, str]:
    return scratch.environment(scene.root) | {"DISABLE_AUTO_COMPACT": "1"}


def state(scene: Scene) -> SessionState:
    found = states.read(str(scene.root), scene.session_id)
    assert found is not None
    return found


def test_each_level_is_told_to_whom_it_concerns_from_its_first_token_on(scene: Scene) -> None:
    first = [WARNING - 1, WARNING, ALERT - 1, ALERT, CRITICAL - 1, CRITICAL, EMERGENCY - 1, EMERGENCY]
    assert kinds(scene, *first) == ["", "", "", "p", "", "pa", "", "pa"]


def test_a_level_is_told_once_and_again_after_a_fall(scene: Scene) -> None:
    assert kinds(scene, ALERT, ALERT, ALERT + 9_000, NORMAL, ALERT, CRITICAL, ALERT, CRITICAL) == [
        "p", "", "", "", "p", "pa", "", "pa",
    ]  # fmt: skip


def test_a_compaction_re_arms(scene: Scene) -> None:
    assert kinds(scene, CRITICAL, CRITICAL) == ["pa", ""]
    scene.transcript.boundary()
    assert kinds(scene, CRITICAL, CRITICAL) == ["pa", ""]


@pytest.mark.parametrize("tokens", [ALERT, CRITICAL, EMERGENCY])
def test_a_parallel_batch_is_told_once(scene: Scene, tokens: int) -> None:
    assert sum(bool(answer.kinds) for answer in turns(scene, tokens, 4)) == 1


def test_a_subagent_is_told_nothing(scene: Scene) -> None:
    own = scene.transcript.subagent("a1")
    own.answer(EMERGENCY, tool_use_ids=["toolu_1"])
    assert called(scene, "toolu_1", agent_id="a1").kinds == ""
    assert states.read(str(scene.root), scene.session_id) is None


def test_the_switch_silences_it(scene: Scene) -> None:
    scene.configure("hooks.pivot = false")
    assert kinds(scene, ALERT, CRITICAL, EMERGENCY) == ["", "", ""]
    assert not Path(paths.pivot_crossing(str(scene.root), scene.session_id)).exists()


def test_it_works_without_the_monitors_warnings(scene: Scene) -> None:
    scene.configure("hooks.context_warnings = false")
    assert kinds(scene, NORMAL - 20_000, ALERT, CRITICAL) == ["", "p", "pa"]


def test_the_levels_are_the_persons(scene: Scene) -> None:
    scene.configure("pivot.levels.critical = 75")
    assert kinds(scene, 149_999, 150_000) == ["p", "pa"]


def test_the_launcher_starts_us_in_time_for_an_alert_before_the_first_warning(scene: Scene) -> None:
    scene.configure("levels.warning.remaining = 16\nlevels.critical.remaining = 15.5")
    for tokens in (60_000, 61_000, 62_000, 63_000):
        turn(scene, tokens)
    gate = Path(paths.gate(str(scene.root), scene.session_id)).read_text().splitlines()
    assert int(gate[2]) <= ALERT - 25_000


def test_the_agents_text_says_how_the_step_is_done_once_and_in_the_same_message(scene: Scene) -> None:
    answer = turn(scene, CRITICAL)
    assert answer.notice == "You can export the session: /token-status --pivot export"
    assert answer.said == (
        "The user can export the session: /token-status --pivot export. It is worth suggesting in your next answer."
    )
    assert answer.context.count("/token-status") == 1
    lines = answer.context.splitlines()
    assert (lines[0], lines[-1]) == ("---CONTEXT MONITOR---", "---END CONTEXT MONITOR---")
    assert "CRITICAL" in lines[1]


def test_where_the_client_compacts_nothing_is_recommended_that_ends_the_session(
    scene: Scene, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DISABLE_AUTO_COMPACT")
    scene.configure("pivot.export_before_compaction = false")
    levels = (FIRST_COMPACTED - 1, FIRST_COMPACTED, LAST_COMPACTED - 1, LAST_COMPACTED)
    answers = [turn(scene, tokens, cwd=str(project)) for tokens in levels]
    assert [answer.notice for answer in answers] == ["", "", None, ""]
    assert [answer.said for answer in answers] == [""] * 4
    assert not (project / EXPORTS).exists()
    assert state(scene).thresholds_triggered == ("warning", "alert", "critical", "emergency")


def test_an_export_before_a_compaction_is_a_setting(
    scene: Scene, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DISABLE_AUTO_COMPACT")
    scene.configure("pivot.export_before_compaction = true")
    turn(scene, LAST_COMPACTED, cwd=str(project))
    assert [path.name for path in (project / EXPORTS).iterdir()] == ["001-export"]


def test_a_pattern_is_kept_in_the_state_and_answered(scene: Scene) -> None:
    for _ in range(5):
        scene.transcript.answer(90_000, tool_use_ids=["toolu_same"], text="make check")
        scene.transcript.result("toolu_same", "Exit code 2", failed=True)
    assert turn(scene, ALERT).notice == "You can compact with a focus: /token-status --pivot compress"
    assert state(scene).degradation_patterns == ("confusion",)


def test_the_state_keeps_what_was_reached(scene: Scene) -> None:
    turn(scene, WARNING + 4_000)
    assert state(scene) == SessionState(
        scene.session_id, state(scene).session_start, 1, 104_000, 0.52, "transcript", ("warning",)
    )
    assert state(scene).session_start.startswith("2026-01-05T09:00:0")
    turn(scene, EMERGENCY)
    turn(scene, ALERT)
    found = state(scene)
    assert found.thresholds_triggered == ("warning", "alert", "critical", "emergency")
    assert (found.warnings_shown, found.tool_calls, found.context_percent) == (1, 3, 0.7)


def test_the_source_is_the_bridge_where_there_is_one(scene: Scene) -> None:
    scene.bridge(27, tokens=146_000, context_window_size=200_000)
    scene.answered()
    assert (state(scene).context_source, state(scene).context_percent) == ("bridge", 0.73)


def test_where_nothing_is_known_the_tool_calls_are_counted(scene: Scene) -> None:
    scene.transcript.path.unlink()
    scene.configure("window.size = 10_000")
    found = [called(scene, f"toolu_{number}").kinds for number in range(19)]
    assert found == [""] * 13 + ["p"] + [""] * 2 + ["p"] + [""] + ["pa"]
    assert (state(scene).context_source, state(scene).tool_calls, state(scene).estimated_tokens) == (
        "tool_calls", 19, 9_500,
    )  # fmt: skip


def test_an_emergency_saves_the_session_once(scene: Scene, project: Path) -> None:
    fields = {"cwd": str(project)}
    answers = [turn(scene, tokens, **fields) for tokens in (EMERGENCY, EMERGENCY, EMERGENCY + 5_000)]
    assert [answer.kinds for answer in answers] == ["pa", "", ""]
    folders = sorted(path.name for path in (project / EXPORTS).iterdir())
    assert len(folders) == 2
    last = state(scene).last_pivot
    assert last is not None
    assert (last.strategy, last.trigger) == ("spawn", "emergency")
    assert all(Path(path).is_file() for path in last.files)
    assert answers[0].notice
    for path in (project / EXPORTS).rglob("*"):
        if path.is_file():
            assert path.name in answers[0].notice
    assert answers[0].said == "The session is saved in .claude/tidegauge/exports/001-export. Tell the user."


def test_each_crossing_saves_anew_and_writes_nothing_over(scene: Scene, project: Path) -> None:
    turn(scene, EMERGENCY, cwd=str(project))
    before = {path: path.read_bytes() for path in (project / EXPORTS).rglob("*") if path.is_file()}
    turn(scene, NORMAL, cwd=str(project))
    turn(scene, EMERGENCY, cwd=str(project))
    assert {path: path.read_bytes() for path in before} == before
    assert len(list((project / EXPORTS).iterdir())) == 4


def test_an_emergency_saves_nothing_where_that_is_switched_off(scene: Scene, project: Path) -> None:
    scene.configure("pivot.auto_export_enabled = false")
    answer = turn(scene, EMERGENCY, cwd=str(project))
    assert "Nothing was saved: pivot.auto_export_enabled is off." in (answer.notice or "")
    assert not (project / EXPORTS).exists()
    assert (state(scene).auto_export_enabled, state(scene).last_pivot) == (False, None)


def test_an_emergency_without_a_project_says_so(scene: Scene) -> None:
    assert "Nothing was saved: the project's directory is not known." in (turn(scene, EMERGENCY).notice or "")


def test_what_fails_is_said_and_the_rest_goes_on(scene: Scene, project: Path) -> None:
    (project / ".claude").write_text("a file in the way")
    answer = turn(scene, EMERGENCY, cwd=str(project))
    assert "Saving it failed" in (answer.notice or "")
    assert scene.turn(EMERGENCY) == ["EXHAUSTED"]


def test_a_damaged_state_costs_nothing_but_itself(scene: Scene) -> None:
    turn(scene, ALERT)
    for path in (paths.pivot, paths.pivot_crossing, paths.activity):
        Path(path(str(scene.root), scene.session_id)).write_bytes(b"\x00{")
    assert kinds(scene, CRITICAL) == ["pa"]
    assert state(scene).thresholds_triggered == ("warning", "alert", "critical")


def test_a_process_far_from_the_levels_loads_nothing_of_it(scene: Scene) -> None:
    program = (
        "import sys; sys.path[:0] = sys.argv[2:]\n"
        "import monitor.dispatch\n"
        "monitor.dispatch.main(sys.stdin.buffer.read(), sys.argv[1])\n"
        "print(*(name for name in sys.modules if name.startswith('monitor.')))"
    )
    command = [sys.executable, "-I", "-c", program, str(scene.root), str(scratch.REPOSITORY)]
    loaded = []
    for tokens in (80_000, WARNING, WARNING):
        scene.transcript.answer(tokens, tool_use_ids=["toolu_1"])
        done = subprocess.run(command, input=scene.stdin(), capture_output=True, env=environment(scene), check=True)
        loaded.append(set(done.stdout.decode().split()))
    assert {name for name in loaded[0] if "pivot" in name} == set()
    assert {"monitor.pivot.watch", "monitor.pivot.patterns"} <= loaded[1]
    assert "monitor.pivot.watch" in loaded[2]
    assert "monitor.pivot.patterns" not in loaded[2]


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
    told = [process.communicate(stdin, timeout=60)[0] for process, stdin in running]
    assert sum(b"Tell the user." in each for each in told) == 1
    assert states.take_notice(str(scene.root), scene.session_id)
    assert len(os.listdir(project / EXPORTS)) == 2
    assert scratch.log(scene.root) == []


def test_the_person_is_told_once_with_the_next_prompt(scene: Scene) -> None:
    scene.transcript.answer(ALERT, tool_use_ids=["toolu_1"])
    assert scene.answered("toolu_1").keys() == {"hookSpecificOutput"}
    prompt = scene.stdin(event="UserPromptSubmit", prompt="Go on", tool_name=..., tool_input=..., tool_use_id=...)
    told = [json.loads(dispatch.main(prompt, str(scene.root)).stdout).get("systemMessage", "") for _ in range(2)]
    assert told[0] == "\u26a0\ufe0f Tidegauge: 70% used, WARNING. Some room is left: plan the next step."
    assert told[1] == ""


def test_from_critical_on_a_session_that_degrades_is_exported(
    scene: Scene, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = Finding("clash", 0.9, (Evidence("an edit was taken back", 3, (1, 9)),))
    monkeypatch.setattr(analysis, "find_all", lambda *_: (seen,))
    answer = turn(scene, CRITICAL, cwd=str(project))
    (export,) = (project / EXPORTS).iterdir()
    last = state(scene).last_pivot
    assert last is not None
    assert (last.strategy, last.trigger) == ("export", "critical")
    assert str(export.relative_to(project)) in answer.context
    assert len(list((project / ".claude" / "tidegauge" / "checkpoints").glob("*-checkpoint.json"))) >= 1


def test_from_critical_on_a_healthy_session_is_only_told(scene: Scene, project: Path) -> None:
    assert "--pivot export" in turn(scene, CRITICAL, cwd=str(project)).context
    assert not (project / EXPORTS).exists()
