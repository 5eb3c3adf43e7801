"""The pivot's levels at tool results: what is told, to whom and how often."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from monitor import dispatch
from monitor.memory.memory import PivotState
from monitor.memory.reminder import Reminder
from monitor.pivot import state as states
from shared import gate, paths
from tests import scratch
from tests.levels import FIRST_RULE, level_at
from tests.monitor.hooks.pivot_turns import (
    ALERT,
    CRITICAL,
    EMERGENCY,
    WARNING,
    called,
    environment,
    kinds,
    state,
    turn,
    turns,
)
from tests.monitor.scene import NORMAL, Scene

pytestmark = pytest.mark.usefixtures("never_compacted")


def test_each_level_is_reported_to_its_audience_from_its_first_token_on(scene: Scene, project: Path) -> None:
    first = [WARNING - 1, WARNING, ALERT - 1, ALERT, CRITICAL - 1, CRITICAL, EMERGENCY - 1, EMERGENCY]
    assert kinds(scene, *first, cwd=str(project)) == ["", "", "", "p", "", "pa", "", "pa"]


def test_a_level_is_reported_once_and_again_after_a_fall(scene: Scene) -> None:
    assert kinds(scene, ALERT, ALERT, ALERT + 9_000, NORMAL, ALERT, CRITICAL, ALERT, CRITICAL) == [
        "p", "", "", "", "p", "pa", "", "pa",
    ]  # fmt: skip


def test_a_level_is_reported_again_after_a_fall_far_below_all_levels(scene: Scene) -> None:
    assert kinds(scene, ALERT, WARNING // 5, ALERT) == ["p", "", "p"]


def test_a_compaction_re_arms(scene: Scene) -> None:
    assert kinds(scene, CRITICAL, CRITICAL) == ["pa", ""]
    scene.transcript.boundary()
    assert kinds(scene, CRITICAL, CRITICAL) == ["pa", ""]


@pytest.mark.parametrize("tokens", [ALERT, CRITICAL, EMERGENCY])
def test_a_parallel_batch_gets_one_message(scene: Scene, tokens: int) -> None:
    assert sum(bool(answer.kinds) for answer in turns(scene, tokens, 4)) == 1


def test_a_subagent_is_told_nothing(scene: Scene) -> None:
    own = scene.transcript.subagent("a1")
    own.answer(EMERGENCY, tool_use_ids=["toolu_1"])
    assert called(scene, "toolu_1", agent_id="a1").kinds == ""
    assert states.read(str(scene.root), scene.session_id) is None


def test_the_setting_silences_the_pivot(scene: Scene) -> None:
    scene.configure("hooks.pivot = false")
    assert kinds(scene, ALERT, CRITICAL, EMERGENCY) == ["", "", ""]
    assert (scene.memory.pivot, scene.memory.pivot_state) == (Reminder(), PivotState())


def test_the_pivot_works_without_the_monitors_warnings(scene: Scene) -> None:
    scene.configure("hooks.context_warnings = false")
    assert kinds(scene, NORMAL - 20_000, ALERT, CRITICAL) == ["", "p", "p"]  # which tell the agent nothing


def test_the_person_sets_the_levels(scene: Scene) -> None:
    scene.configure("pivot.levels.critical = 75")
    assert kinds(scene, 149_999, 150_000) == ["p", "pa"]


@pytest.mark.parametrize("is_on", [True, False])
def test_the_launcher_starts_us_in_time_for_messages_before_the_first_warning(scene: Scene, *, is_on: bool) -> None:
    critical = round(100 - FIRST_RULE.remaining) - 5  # percent
    levels = f"pivot.levels.warning = {critical - 2}\npivot.levels.alert = {critical - 1}"
    scene.configure(f"hooks.pivot = {is_on}\n{levels}\npivot.levels.critical = {critical}".lower())
    for tokens in (20_000, 21_000, 22_000, 23_000):
        turn(scene, tokens)
    opened = gate.read(str(scene.root), scene.session_id)
    assert opened is not None
    assert (opened.limit == critical * 2_000) is is_on


def test_the_agents_text_explains_the_step_once_in_the_same_message(scene: Scene) -> None:
    answer = turn(scene, CRITICAL)
    assert answer.notice == "You can export the session: /token-status --pivot export"
    assert answer.output == (
        "The user can export the session: /token-status --pivot export. It is worth suggesting in your next answer."
    )
    assert answer.context.count("/token-status") == 1
    lines = answer.context.splitlines()
    assert (lines[0], lines[-1]) == ("---CONTEXT MONITOR---", "---END CONTEXT MONITOR---")
    assert lines[1].startswith("CONTEXT WINDOW ")


def test_a_pattern_is_recorded_but_recommends_nothing_unasked(scene: Scene) -> None:
    for _ in range(5):
        scene.transcript.answer(90_000, tool_use_ids=["toolu_same"], text="make check")
        scene.transcript.result("toolu_same", "Exit code 2", failed=True)
    assert turn(scene, ALERT).notice == ""
    assert state(scene).degradation_patterns == ("confusion",)


def test_the_state_keeps_the_reached_levels(scene: Scene) -> None:
    turn(scene, WARNING)
    assert state(scene) == PivotState(
        scene.session_id, state(scene).session_start, 1, WARNING, 0.5, "transcript", ("warning",)
    )
    turn(scene, EMERGENCY)
    assert state(scene).session_start.startswith("2026-01-05T09:00:0")
    turn(scene, ALERT)
    result = state(scene)
    assert result.thresholds_triggered == ("warning", "alert", "critical", "emergency")
    assert (result.warnings_shown, result.tool_calls, result.context_percent) == (1, 3, 0.7)


@pytest.mark.parametrize(("tokens", "expected"), [(ALERT - 1, 0), (ALERT, 1)])
def test_a_warning_counts_as_shown_from_an_alert_on(scene: Scene, tokens: int, expected: int) -> None:
    turn(scene, tokens)
    assert state(scene).warnings_shown == expected


def test_the_source_is_the_bridge_where_there_is_one(scene: Scene) -> None:
    scene.bridge(27, tokens=146_000, context_window_size=200_000)
    scene.answered()
    assert (state(scene).context_source, state(scene).context_percent) == ("bridge", 0.73)


def test_tool_calls_are_counted_for_the_report_if_nothing_else_is_known(scene: Scene) -> None:
    scene.transcript.path.unlink()
    scene.configure("window.size = 10_000")
    assert [called(scene, f"toolu_{number}").kinds for number in range(19)] == [""] * 19
    assert (state(scene).context_source, state(scene).tool_calls, state(scene).estimated_tokens) == (
        "tool_calls",
        19,
        9_500,
    )


def test_a_damaged_state_is_lost_alone(scene: Scene) -> None:
    turn(scene, ALERT)
    for path in (paths.memory, paths.activity):
        Path(path(str(scene.root), scene.session_id)).write_bytes(b"\x00{")
    assert kinds(scene, CRITICAL) == ["pa"]
    assert state(scene).thresholds_triggered == ("warning", "alert", "critical")


def test_a_process_far_from_the_levels_does_not_load_the_pivot(scene: Scene) -> None:
    program = (
        "import sys; sys.path[:0] = sys.argv[2:]\n"
        "import monitor.dispatch\n"
        "monitor.dispatch.main(sys.stdin.buffer.read(), sys.argv[1])\n"
        "print(*(name for name in sys.modules if name.startswith('monitor.')))"
    )
    command = [sys.executable, "-I", "-c", program, str(scene.root), str(scratch.REPOSITORY)]
    loaded = []
    for tokens in (WARNING, ALERT, ALERT):
        scene.transcript.answer(tokens, tool_use_ids=["toolu_1"])
        result = subprocess.run(command, input=scene.stdin(), capture_output=True, env=environment(scene), check=True)
        loaded.append(set(result.stdout.decode().split()))
    assert not {"monitor.pivot.announcement", "monitor.pivot.patterns"} & loaded[0]
    assert {"monitor.pivot.announcement", "monitor.pivot.patterns"} <= loaded[1]
    assert not {"monitor.pivot.announcement", "monitor.pivot.patterns"} & loaded[2]


def test_the_person_is_notified_once_with_the_next_prompt(scene: Scene) -> None:
    scene.transcript.answer(ALERT, tool_use_ids=["toolu_1"])
    assert scene.answered("toolu_1").keys() == {"hookSpecificOutput"}
    prompt = scene.stdin(event="UserPromptSubmit", prompt="Go on", tool_name=..., tool_input=..., tool_use_id=...)
    messages = [json.loads(dispatch.main(prompt, str(scene.root)).stdout).get("systemMessage", "") for _ in range(2)]
    level, ahead = level_at(ALERT, 177_000).name, "37k tokens until the window ends: "
    assert messages[0].startswith(f"\u26a0\ufe0f Tidegauge: 70% used, {level}. {ahead}")
    assert messages[1] == ""


def test_it_comes_with_the_message_and_at_no_other_tool_use_of_the_batch(scene: Scene, project: Path) -> None:
    first, *others = turns(scene, EMERGENCY, 3, cwd=str(project))
    assert "CONTEXT WINDOW" in first.context
    assert first.kinds == "pa"
    assert [answer.context for answer in others] == ["", ""]
    assert [answer.kinds for answer in others] == ["", ""]


def test_below_the_alert_a_threshold_is_only_recorded(scene: Scene) -> None:
    assert turn(scene, WARNING).kinds == ""
    assert (state(scene).thresholds_triggered, state(scene).warnings_shown) == (("warning",), 0)
    assert scene.memory.pivot_notice is None
