import json
from pathlib import Path

import pytest

from monitor import dispatch
from shared import paths
from shared.client.client_settings import Run, write_run
from shared.gauge.limit import compaction_key, read_learned
from tests.monitor.scene import CRITICAL, NORMAL, Scene, level_in
from tests.transcripts import NEW_CLIENT, OLD_CLIENT, Transcript


def budget_message(scene: Scene) -> str:
    """What a subagent is told at its start; empty when nothing is."""
    answer = dispatch.main(scene.stdin(event="SubagentStart", agent_id="a1"), str(scene.root)).stdout
    return str(json.loads(answer)["hookSpecificOutput"]["additionalContext"]) if answer else ""


def test_far_from_a_level_only_the_launchers_mark_is_left(scene: Scene) -> None:
    scene.transcript.answer(NORMAL)

    assert budget_message(scene) == ""
    assert Path(paths.subagents_mark(str(scene.root), scene.session_id)).exists()


def test_near_a_level_the_subagent_is_told_what_its_caller_has_left(scene: Scene) -> None:
    scene.transcript.answer(CRITICAL)

    message = budget_message(scene)
    assert message.startswith(
        "Your caller's context window is 75% used (CRITICAL), with about 18,000 tokens left before"
    )
    assert "it is compacted" in message


def test_past_the_limit_there_is_no_room_left(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISABLE_AUTO_COMPACT", "1")
    scene.transcript.answer(180_000)

    assert ", with no room left before the window ends. " in budget_message(scene)


@pytest.mark.parametrize("client", [OLD_CLIENT, NEW_CLIENT])
def test_a_transcript_from_before_a_compaction_is_not_believed(scene: Scene, client: str) -> None:
    """The client writes the compaction, and the answer that starts the subagent, up to a tenth of a second later."""
    scene.transcript = Transcript(scene.transcript.path, version=client)
    scene.transcript.answer(CRITICAL)
    assert budget_message(scene) != ""  # an earlier subagent: the older client doesn't say whose compactions are

    dispatch.main(scene.stdin(event="SessionStart", source="compact"), str(scene.root))
    assert budget_message(scene) == ""

    scene.transcript.boundary(167_100)
    scene.transcript.answer(CRITICAL)
    assert budget_message(scene) != ""


def test_switched_off_it_still_leaves_the_mark(scene: Scene) -> None:
    scene.configure("hooks.subagent_budget = false\n")
    scene.transcript.answer(CRITICAL)

    assert budget_message(scene) == ""
    assert Path(paths.subagents_mark(str(scene.root), scene.session_id)).exists()


def test_what_the_callers_transcript_shows_is_learned(scene: Scene) -> None:
    scene.transcript.answer(166_000)
    scene.transcript.boundary(167_100)
    scene.transcript.answer(24_000)

    budget_message(scene)

    assert read_learned(str(scene.root)).compactions == {
        compaction_key("claude-opus-4-6", NEW_CLIENT, 200_000, {}): 167_100
    }


@pytest.mark.parametrize("has_answer", [True, False])
def test_a_fork_has_the_window_that_its_caller_is_recorded_with(scene: Scene, *, has_answer: bool) -> None:
    """Its own transcript names no model; nor does any in the older client, where the caller's start does."""
    if has_answer:
        scene.transcript.names_model("claude-opus-4-6[1m]")
        scene.transcript.answer(NORMAL)
    else:
        run = Run(model="claude-opus-4-6[1m]")
        write_run(paths.session_run(str(scene.root), scene.session_id), run)

    budget_message(scene)

    assert scene.turn(CRITICAL, agent="a1") == [""]
    assert scene.turn(CRITICAL, agent="a2") == ["CRITICAL"]  # whose start was missed


def test_a_subagent_of_another_model_has_that_models_window(scene: Scene) -> None:
    scene.transcript.names_model("claude-opus-4-6[1m]")
    scene.transcript.answer(NORMAL)

    budget_message(scene)

    scene.transcript.subagent("a1").answer(CRITICAL, model="claude-haiku-4-5", tool_use_ids=["toolu_a"])
    assert level_in(scene.message("toolu_a", agent_id="a1")) == "CRITICAL"
