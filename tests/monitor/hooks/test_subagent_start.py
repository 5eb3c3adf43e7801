import json
import threading
import time
from pathlib import Path

import pytest

from monitor import dispatch
from shared import paths
from shared.client.client_settings import Run, write_run
from shared.gauge.limit import compaction_key, read_learned
from tests.monitor.scene import CRITICAL, EXHAUSTED, NORMAL, Scene, level_in
from tests.transcripts import NEW_CLIENT, OLD_CLIENT, Transcript


def budget_message(scene: Scene) -> str:
    """The message to a subagent at its start; empty if there is none."""
    answer = dispatch.main(scene.stdin(event="SubagentStart", agent_id="a1"), str(scene.root)).stdout
    return str(json.loads(answer)["hookSpecificOutput"]["additionalContext"]) if answer else ""


def test_far_from_a_level_only_the_launchers_mark_is_written(scene: Scene) -> None:
    scene.transcript.answer(NORMAL)

    assert budget_message(scene) == ""
    assert Path(paths.subagents_mark(str(scene.root), scene.session_id)).exists()


def test_near_a_level_the_subagent_is_told_its_callers_remaining_room(scene: Scene) -> None:
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
def test_an_outdated_transcript_from_before_a_compaction_is_ignored(scene: Scene, client: str) -> None:
    """The client writes the compaction, and the answer that starts the subagent, up to a tenth of a second later."""
    scene.transcript = Transcript(scene.transcript.path, version=client)
    scene.transcript.answer(CRITICAL)
    assert budget_message(scene) != ""  # an earlier subagent: the older client doesn't say whose compactions are

    dispatch.main(scene.stdin(event="PreCompact", trigger="manual", cwd=str(scene.root.parents[1])), str(scene.root))
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


def test_facts_in_the_callers_transcript_are_learned(scene: Scene) -> None:
    scene.transcript.answer(166_000)
    scene.transcript.boundary(167_100)
    scene.transcript.answer(24_000)

    budget_message(scene)

    assert read_learned(str(scene.root)).compactions == {
        compaction_key("claude-opus-4-6", NEW_CLIENT, 200_000, {}): 167_100
    }


@pytest.mark.parametrize("has_answer", [True, False])
def test_a_fork_has_its_callers_recorded_window(scene: Scene, *, has_answer: bool) -> None:
    """Its own transcript names no model; in the older client no transcript does, but the caller's start."""
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


def call(transcript: Transcript, tokens: int, tool: str = "Agent", *, age: float = 0.1) -> None:
    """Have a conversation use a tool, by default one that starts a subagent, `age` seconds ago."""
    transcript.answer(tokens, tool_use_ids=[f"toolu_{tokens}"], tool=tool, at=time.time() - age)


def started_by(agent: Transcript, tokens: int) -> Transcript:
    """Record, as the client does, that the call of an answer at `tokens` tokens has started `agent`."""
    agent.path.parent.mkdir(parents=True, exist_ok=True)
    agent.path.with_suffix(".meta.json").write_text(json.dumps({"toolUseId": f"toolu_{tokens}", "spawnDepth": 1}))
    return agent


def fill_in(message: str) -> str:
    return message.partition(" is ")[2].partition(" used")[0]


@pytest.mark.parametrize(
    ("main", "caller", "fill"), [(CRITICAL, NORMAL, ""), (NORMAL, CRITICAL, "75%"), (EXHAUSTED, CRITICAL, "75%")]
)
def test_a_subagents_subagent_is_told_of_its_own_caller(scene: Scene, main: int, caller: int, fill: str) -> None:
    call(scene.transcript, main)
    call(started_by(scene.transcript.subagent("a0"), main), caller)
    assert fill_in(budget_message(scene)) == fill


@pytest.mark.parametrize("age", [0.1, 60])
def test_the_session_may_be_the_caller_beside_a_subagent_at_work(scene: Scene, age: float) -> None:
    call(started_by(scene.transcript.subagent("a0"), 1), NORMAL, "Bash")
    call(scene.transcript, CRITICAL, age=age)  # it may have waited for a permission
    assert fill_in(budget_message(scene)) == "75%"


def test_a_parallel_call_belongs_to_the_session_too(scene: Scene) -> None:
    scene.transcript.answer(CRITICAL, tool_use_ids=["toolu_1", "toolu_2"], tool="Agent")
    started_by(scene.transcript.subagent("a0"), 1).prompt("Look at it")
    assert fill_in(budget_message(scene)) == "75%"


@pytest.mark.parametrize("has_answered", [True, False])
def test_a_call_is_waited_for(scene: Scene, *, has_answered: bool) -> None:
    """The client writes the answer up to a tenth of a second after the subagent's start."""
    call(scene.transcript, CRITICAL)
    caller = started_by(scene.transcript.subagent("a0"), CRITICAL)
    if has_answered:
        call(caller, NORMAL, "Bash", age=5)
    else:
        caller.prompt("Look at it")
    late = threading.Timer(0.05, call, (caller, EXHAUSTED))
    late.start()
    message = budget_message(scene)
    late.join()
    assert "EXHAUSTED" in message


def test_nothing_is_told_if_the_caller_is_unknown(scene: Scene) -> None:
    call(scene.transcript, CRITICAL)
    call(started_by(scene.transcript.subagent("a0"), CRITICAL), NORMAL, "Bash")
    assert budget_message(scene) == ""


def test_a_resumed_subagent_may_be_the_caller(scene: Scene) -> None:
    call(scene.transcript, CRITICAL, "SendMessage")
    again = started_by(scene.transcript.subagent("a0"), 1)
    again.answer(NORMAL, tool_use_ids=[])
    again.prompt("Go on")
    assert budget_message(scene) == ""


@pytest.mark.parametrize("end", ["answered", "stopped"])
def test_an_ended_subagent_is_not_the_caller(scene: Scene, end: str) -> None:
    call(scene.transcript, CRITICAL)
    ended = started_by(scene.transcript.subagent("a0"), CRITICAL)
    if end == "answered":
        ended.answer(NORMAL, tool_use_ids=[])
    else:
        call(ended, NORMAL)
        ended.prompt("[Request interrupted by user for tool use]")
    assert fill_in(budget_message(scene)) == "75%"


def test_a_subagents_subagent_has_the_window_of_its_caller(scene: Scene) -> None:
    call(scene.transcript, NORMAL)
    caller = started_by(scene.transcript.subagent("a0"), NORMAL)
    caller.names_model("claude-opus-4-6[1m]")
    call(caller, NORMAL + 1)
    budget_message(scene)
    assert scene.turn(CRITICAL, agent="a1") == [""]
