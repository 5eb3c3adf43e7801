import json
import time

import pytest

from monitor import dispatch
from shared import paths
from shared.client.client_settings import Run, write_run
from tests.monitor.measuring.measurement import take_snapshot
from tests.monitor.scene import EXHAUSTED, NORMAL, Scene
from tests.transcripts import OLD_CLIENT, Transcript, compact

LONG, SHORT = "claude-opus-5", "claude-opus-4-6"


def test_a_bridge_with_another_model_than_the_newest_answer_is_ignored(scene: Scene) -> None:
    scene.transcript.answer(NORMAL, model=SHORT)
    scene.client_bridge(50_000, 1_000_000, model_id=LONG, written_at=time.time())
    snapshot = take_snapshot(scene)
    assert (snapshot.reading.source, snapshot.reading.tokens, snapshot.reading.window) == (
        "transcript",
        NORMAL,
        200_000,
    )


@pytest.mark.parametrize(("age", "window"), [(30, 1_000_000), (0, 200_000)])
def test_a_model_chosen_since_the_newest_answer_counts(scene: Scene, age: float, window: int) -> None:
    """The line drawn with an answer names the requested model; another may have answered in its place."""
    scene.transcript.answer(NORMAL, model=SHORT, at=time.time() - age)
    scene.client_bridge(NORMAL, 1_000_000, model_id="my-deployment", written_at=time.time())
    scene.transcript.attachment(type="date")  # what the client notes of the choice makes the bridge older than the file
    assert take_snapshot(scene).reading.window == window
    assert take_snapshot(scene, is_at_prompt=True).reading.window == 1_000_000  # the chosen model is asked first


@pytest.mark.parametrize("before", [NORMAL, 290_000])
def test_a_smaller_chosen_window_counts_even_if_the_newest_answer_exceeds_it(scene: Scene, before: int) -> None:
    """The client compacts with the next prompt; usage in the larger window doesn't disprove the smaller one."""
    scene.transcript.record_requests(is_long=True)
    for tokens in (before, 300_000):
        scene.transcript.answer(tokens, model=LONG, at=time.time() - 30)
    scene.bridge(0, tokens=300_000, context_window_size=200_000, model_id=SHORT, written_at=time.time())
    snapshot = take_snapshot(scene)
    assert (snapshot.reading.used, snapshot.reading.window, snapshot.limit_tokens) == (100, 200_000, 167_000)
    scene.transcript.attachment(type="date")  # makes the bridge older than the file
    assert take_snapshot(scene).reading.window == 200_000
    scene.transcript.names_model(SHORT)  # as the client writes it with the next prompt
    assert take_snapshot(scene).reading.window == 200_000


def test_a_countdown_names_the_window(scene: Scene) -> None:
    scene.transcript.prompt()
    scene.transcript.reminder(1_000_000)
    scene.transcript.answer(EXHAUSTED, tool_use_ids=["toolu_1"])
    snapshot = take_snapshot(scene, tool_use_id="toolu_1")
    assert (snapshot.reading.window, snapshot.reading.window_source) == (1_000_000, "countdown")


@pytest.mark.parametrize(
    ("betas", "window"), [("context-1m-2025-08-07", 200_000), ("other", 1_000_000), ("", 1_000_000)]
)
def test_a_beta_added_by_the_person_does_not_determine_the_window(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, betas: str, window: int
) -> None:
    monkeypatch.setenv("ANTHROPIC_BETAS", betas)
    scene.transcript.names_model(SHORT)
    scene.transcript.record_requests(is_long=True).answer(NORMAL, model=SHORT)
    assert take_snapshot(scene).reading.window == window
    write_run(paths.session_run(str(scene.root), scene.session_id), Run(has_betas=True))
    assert take_snapshot(scene).reading.window == 1_000_000


@pytest.mark.parametrize("answering", ["arn:aws:bedrock:eu:1:inference-profile/x1", "my-gateway/opus"])
def test_an_answer_under_a_gateways_id_belongs_to_the_model_named_by_the_client(scene: Scene, answering: str) -> None:
    scene.transcript.names_model(SHORT)
    scene.transcript.answer(EXHAUSTED, model=answering)
    reading = take_snapshot(scene).reading
    assert (reading.window, reading.window_source) == (200_000, "catalogue")
    scene.client_bridge(EXHAUSTED, 200_000, model_id=SHORT, written_at=time.time())
    assert take_snapshot(scene).reading.source == "bridge"


def test_a_window_of_unknown_size_is_a_reading_without_a_percentage(scene: Scene) -> None:
    scene.transcript.answer(EXHAUSTED, model="some-gateway", tool_use_ids=["toolu_1"])
    reading = take_snapshot(scene, tool_use_id="toolu_1").reading
    assert (reading.tokens, reading.window, reading.remaining, reading.used) == (EXHAUSTED, None, None, None)
    assert reading.window_source == "unknown"
    prompt = {**scene.payload(None, event="UserPromptSubmit"), "prompt": "Go on"}
    answer = dispatch.main(compact(prompt), str(scene.root)).stdout
    assert "unknown" in json.loads(answer)["hookSpecificOutput"]["additionalContext"]


def test_a_bridge_without_a_size_gets_only_a_known_one(scene: Scene) -> None:
    """A merely assumed size would falsify the client's percentage."""
    scene.bridge(90, tokens=NORMAL, model_id=LONG)
    assumed = take_snapshot(scene).reading
    assert (assumed.source, assumed.remaining, assumed.window) == ("bridge", 90, None)
    scene.configure("window.size = 400_000")
    reading = take_snapshot(scene).reading
    assert (reading.source, reading.remaining, reading.window) == ("bridge", 75, 400_000)


@pytest.mark.parametrize("sizes", [(200_000, 1_000_000), (1_000_000, 200_000)])
def test_a_subagent_keeps_its_sessions_window_from_its_start(scene: Scene, sizes: tuple[int, int]) -> None:
    """An older client records nowhere which model it asks for, and the person may choose another meanwhile."""
    ids = {200_000: SHORT, 1_000_000: f"{SHORT}[1m]"}
    before, after = sizes
    scene.client_bridge(NORMAL, before, model_id=ids[before], written_at=time.time())
    start = {"hook_event_name": "SubagentStart", "agent_id": "a1", "agent_type": "Explore"}
    dispatch.main(json.dumps(scene.payload() | start).encode(), str(scene.root))
    scene.client_bridge(NORMAL, after, model_id=ids[after], written_at=time.time())
    scene.transcript.subagent("a1").answer(135_000, model=SHORT)
    assert take_snapshot(scene, "a1").reading.window == before


@pytest.mark.parametrize(
    ("session_model", "named", "window"),
    [(SHORT, f"{SHORT}[1m]", 1_000_000), (SHORT, "opus[1m]", 1_000_000), (SHORT, "inherit", 200_000),
     (f"{SHORT}[1m]", SHORT, 1_000_000), (f"{SHORT}[1m]", "haiku", 200_000)],
)  # fmt: skip
def test_an_agents_own_file_determines_its_window(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, session_model: str, named: str, window: int
) -> None:
    """The earlier client records nowhere which model it asks for."""
    project = scene.root.parent / "project"
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(project))
    (project / ".claude" / "agents").mkdir(parents=True)
    (project / ".claude" / "agents" / "scout.md").write_text(f"---\nname: scout\nmodel: {named}\n---\nLook around.\n")
    old = Scene(scene.root, Transcript(scene.transcript.path.with_name("old.jsonl"), version=OLD_CLIENT))
    size = 1_000_000 if session_model.endswith("]") else 200_000
    old.client_bridge(NORMAL, size, model_id=session_model, written_at=time.time())
    start = {"hook_event_name": "SubagentStart", "agent_id": "a1", "agent_type": "scout"}
    dispatch.main(json.dumps(old.payload() | start).encode(), str(old.root))
    model = "claude-haiku-4-5" if named == "haiku" else SHORT
    old.transcript.subagent("a1").answer(135_000, model=model)
    assert take_snapshot(old, "a1").reading.window == window


@pytest.mark.parametrize(
    ("named", "source"), [(SHORT, "catalogue"), (f"{SHORT}[1m]", "env-1m-detection"), ("", "default")]
)
def test_a_subagent_of_its_sessions_model_has_its_window(scene: Scene, named: str, source: str) -> None:
    """The earlier client records nothing of it without a screen."""
    old = Scene(scene.root, Transcript(scene.transcript.path.with_name("old.jsonl"), version=OLD_CLIENT))
    write_run(paths.session_run(str(scene.root), old.session_id), Run(model=named))
    old.transcript.answer(NORMAL, model=SHORT)
    start = {"hook_event_name": "SubagentStart", "agent_id": "a1", "agent_type": "Explore"}
    dispatch.main(json.dumps(old.payload() | start).encode(), str(old.root))
    old.transcript.subagent("a1").answer(NORMAL, model=SHORT)
    assert take_snapshot(old, "a1").reading.window_source == source
