"""What a session's earlier runs left is only a memory: model, window and client may be others now."""

import json
import time
from pathlib import Path
from typing import Any

import pytest

from monitor import dispatch
from monitor.measuring.snapshot import Snapshot, snapshot_of
from monitor.session import Conversation, Run, Session, read_run, write_run
from shared import paths
from shared.gauge import bridge as bridges
from shared.gauge.bridge import WindowNote
from shared.gauge.limit import read_learned
from shared.settings import settings
from tests.monitor.scene import EXHAUSTED, NORMAL, Scene
from tests.transcripts import Transcript, compact

LONG, SHORT = "claude-opus-5", "claude-opus-4-6"


def started(scene: Scene, source: str = "resume") -> None:
    """The session's start, as the client tells our hook of it."""
    event = {
        "session_id": scene.session_id,
        "transcript_path": str(scene.transcript.path),
        "cwd": "/home/dev/shop",
        "hook_event_name": "SessionStart",
        "source": source,
    }
    dispatch.main(compact(event), str(scene.root))


def remember_last_run(scene: Scene, model: str, size: int, tokens: int = NORMAL) -> None:
    """A bridge of a minute ago at the most: fresh by its time alone."""
    then = time.time() - 20
    scene.transcript.answer(tokens, model=model.removesuffix("[1m]"), at=then)
    fields: dict[str, Any] = {
        "model_id": model,
        "context_window_size": size,
        "window_source": "bridge",
        "tokens": tokens,
    }
    scene.bridge(100 - tokens * 100 // size, age=20, written_at=then, **fields)


def measured(scene: Scene, tool_use_id: str = "", environ: dict[str, str] | None = None) -> Snapshot:
    config = settings.load(str(scene.root)).config
    session = Session(str(scene.root), config, environ or {}, time.time())
    snapshot = snapshot_of(Conversation(scene.session_id, str(scene.transcript.path)), session, tool_use_id)
    assert snapshot is not None
    return snapshot


@pytest.mark.parametrize("source", ["startup", "resume", "fork", "clear"])
def test_a_start_begins_a_run(scene: Scene, source: str) -> None:
    scene.transcript.answer(NORMAL)
    before = time.time()
    started(scene, source)
    assert read_run(str(scene.root), scene.session_id).started_at >= before - 0.25


@pytest.mark.parametrize(("has_answer", "seconds"), [(False, 2.0), (True, 0.1)])
def test_the_first_draw_may_come_before_the_start(scene: Scene, seconds: float, *, has_answer: bool) -> None:
    if has_answer:
        scene.transcript.answer(NORMAL, model=SHORT, at=time.time() - 60)
    note = WindowNote(f"{SHORT}[1m]", 1_000_000, time.time() - seconds)
    bridges.write_note(str(scene.root), scene.session_id, note)
    started(scene, "resume" if has_answer else "startup")
    scene.transcript.answer(EXHAUSTED, model=SHORT)
    assert measured(scene).reading.window == 1_000_000


def test_a_compaction_begins_none(scene: Scene) -> None:
    started(scene, "compact")
    assert read_run(str(scene.root), scene.session_id) == Run()


@pytest.mark.parametrize("document", ["", "[]", '{"started_at": "now"}', "{"])
def test_a_damaged_record_is_none(scene: Scene, document: str) -> None:
    path = Path(paths.session_run(str(scene.root), scene.session_id))
    path.parent.mkdir(exist_ok=True)
    path.write_text(document)
    assert read_run(str(scene.root), scene.session_id) == Run()


@pytest.mark.parametrize(("before", "after", "size"), [(LONG, SHORT, 200_000), (SHORT, LONG, 1_000_000)])
def test_resumed_under_another_model_it_has_that_models_window(
    scene: Scene, before: str, after: str, size: int
) -> None:
    remember_last_run(scene, before, 1_200_000 - size)
    started(scene)
    scene.transcript.answer(EXHAUSTED, model=after, tool_use_ids=["toolu_1"], at=time.time())
    snapshot = measured(scene, "toolu_1")
    assert (snapshot.reading.tokens, snapshot.reading.window) == (EXHAUSTED, size)


@pytest.mark.parametrize(("before", "after"), [(True, False), (False, True)])
def test_resumed_with_another_beta_it_has_that_window(scene: Scene, *, before: bool, after: bool) -> None:
    sizes = {True: 1_000_000, False: 200_000}
    scene.transcript.request(is_long=before)
    remember_last_run(scene, SHORT, sizes[before])
    started(scene)
    scene.transcript.request(is_long=after, at=time.time())
    scene.transcript.answer(NORMAL, model=SHORT, tool_use_ids=["toolu_1"], at=time.time())
    assert measured(scene, "toolu_1").reading.window == sizes[after]


@pytest.mark.parametrize(("before", "window"), [(True, 1_000_000), (False, 200_000)])
def test_until_it_answers_a_resumed_session_has_the_window_that_its_last_run_asked_for(
    scene: Scene, window: int, *, before: bool
) -> None:
    scene.transcript.request(is_long=before, at=time.time() - 61)
    scene.transcript.answer(NORMAL, model=SHORT, at=time.time() - 60)
    started(scene)
    assert measured(scene).reading.window == window


@pytest.mark.parametrize("source", ["resume", "startup"])
@pytest.mark.parametrize(("records", "window"), [(True, 200_000), (False, 1_000_000)])
def test_the_last_runs_bridge_is_remembered_where_this_run_records_nothing(
    scene: Scene, source: str, window: int, *, records: bool
) -> None:
    """It is neither believed nor learnt from."""
    bare = scene if records else Scene(scene.root, Transcript(scene.transcript.path.with_name("bare.jsonl")))
    remember_last_run(bare, SHORT, 1_000_000)
    started(bare, source)
    if records:
        bare.transcript.answer(NORMAL, model=SHORT, at=time.time() + 1)
    snapshot = measured(bare)
    assert (snapshot.reading.source, snapshot.reading.window) == ("transcript", window)
    bare.message()
    assert read_learned(str(scene.root)).windows == {}


@pytest.mark.parametrize(("asked", "window"), [("", 1_000_000), (f"{SHORT}[1m]", 1_000_000), (SHORT, 200_000)])
def test_the_last_runs_window_is_forgotten_where_the_variable_now_asks_for_another(
    scene: Scene, asked: str, window: int
) -> None:
    """The earlier client records nothing of it without a screen."""
    bare = Scene(scene.root, Transcript(scene.transcript.path.with_name("bare.jsonl")))
    remember_last_run(bare, f"{SHORT}[1m]", 1_000_000)
    started(bare, "resume")
    assert measured(bare, environ={"ANTHROPIC_MODEL": asked}).reading.window == window


def test_this_runs_bridge_is_believed_and_learnt_from(scene: Scene) -> None:
    started(scene)
    scene.transcript.answer(NORMAL, model=SHORT)
    fields: dict[str, Any] = {
        "model_id": SHORT,
        "context_window_size": 1_000_000,
        "window_source": "bridge",
        "tokens": NORMAL,
    }
    scene.bridge(90, written_at=time.time(), **fields)
    snapshot = measured(scene)
    assert (snapshot.reading.source, snapshot.reading.window) == ("bridge", 1_000_000)
    scene.message()
    assert list(read_learned(str(scene.root)).windows.values()) == [1_000_000]


def test_a_bridge_of_another_model_than_the_newest_answers_is_not_believed(scene: Scene) -> None:
    scene.transcript.answer(NORMAL, model=SHORT)
    fields: dict[str, Any] = {
        "model_id": LONG,
        "context_window_size": 1_000_000,
        "window_source": "bridge",
        "tokens": 50_000,
    }
    scene.bridge(95, written_at=time.time(), **fields)
    snapshot = measured(scene)
    assert (snapshot.reading.source, snapshot.reading.tokens, snapshot.reading.window) == (
        "transcript",
        NORMAL,
        200_000,
    )


@pytest.mark.parametrize(("age", "window"), [(30, 1_000_000), (0, 200_000)])
def test_a_model_that_was_chosen_since_the_newest_answer_counts(scene: Scene, age: float, window: int) -> None:
    """What is drawn with the answer is of the model that was asked for, which another may have answered for."""
    scene.transcript.answer(NORMAL, model=SHORT, at=time.time() - age)
    fields: dict[str, Any] = {
        "model_id": "my-deployment",
        "context_window_size": 1_000_000,
        "window_source": "bridge",
        "tokens": NORMAL,
    }
    scene.bridge(90, written_at=time.time(), **fields)
    scene.transcript.attachment(type="date")  # what the client notes of the choice makes the bridge older than the file
    assert measured(scene).reading.window == window


def test_another_programs_bridge_is_of_the_run_that_its_second_lies_in(scene: Scene) -> None:
    started(scene)
    scene.foreign_bridge(20)
    assert measured(scene).reading.source == "bridge"
    scene.foreign_bridge(20, age=30)
    scene.transcript.answer(NORMAL)
    assert measured(scene).reading.source == "transcript"


def test_before_a_resumed_sessions_first_answer_the_status_line_names_its_model(scene: Scene) -> None:
    remember_last_run(scene, SHORT, 200_000)
    started(scene)
    bridges.write_note(str(scene.root), scene.session_id, WindowNote(f"{LONG}[1m]", 1_000_000, time.time()))
    snapshot = measured(scene)
    assert (snapshot.reading.tokens, snapshot.reading.window, snapshot.reading.window_source) == (
        NORMAL,
        1_000_000,
        "bridge",
    )


def test_a_note_of_the_last_run_is_passed_over(scene: Scene) -> None:
    bridges.write_note(str(scene.root), scene.session_id, WindowNote(SHORT, 1_000_000, time.time() - 5))
    started(scene)
    scene.transcript.answer(NORMAL, model=SHORT, at=time.time())
    assert measured(scene).reading.window == 200_000


def test_with_1m_disabled_since_the_last_run_the_window_is_the_standard_one(scene: Scene) -> None:
    remember_last_run(scene, LONG, 1_000_000)
    started(scene)
    scene.transcript.names_model(f"{LONG}[1m]", at=time.time())
    scene.transcript.answer(NORMAL, model=LONG, tool_use_ids=["toolu_1"], at=time.time())
    off = {"CLAUDE_CODE_DISABLE_1M_CONTEXT": "1"}
    assert measured(scene, "toolu_1", off).reading.window == 200_000
    assert measured(scene, "toolu_1").reading.window == 1_000_000


def test_a_gate_of_the_last_run_is_opened(scene: Scene) -> None:
    """Its limit may be that of a larger window."""
    gate = Path(paths.gate(str(scene.root), scene.session_id))
    gate.parent.mkdir(exist_ok=True)
    gate.write_text("limit 600000")
    started(scene)
    assert not gate.exists()


def test_the_name_of_the_model_is_kept_for_a_long_run(scene: Scene) -> None:
    """The client names it once, and the tail doesn't reach so far."""
    started(scene)
    scene.transcript.names_model(f"{SHORT}[1m]", at=time.time())
    assert scene.turn(NORMAL) == [""]
    scene.transcript.grow(3 << 20)
    assert scene.turn(EXHAUSTED) == [""]
    assert measured(scene).reading.window_source == "env-1m-detection"
    started(scene)
    scene.transcript.answer(NORMAL, at=time.time())
    assert measured(scene).reading.window == 200_000


def test_a_countdown_names_the_window(scene: Scene) -> None:
    scene.transcript.prompt()
    scene.transcript.reminder(1_000_000)
    scene.transcript.answer(EXHAUSTED, tool_use_ids=["toolu_1"])
    snapshot = measured(scene, "toolu_1")
    assert (snapshot.reading.window, snapshot.reading.window_source) == (1_000_000, "countdown")


def test_a_window_of_unknown_size_is_a_reading_without_a_percentage(scene: Scene) -> None:
    scene.transcript.answer(EXHAUSTED, model="some-gateway", tool_use_ids=["toolu_1"])
    reading = measured(scene, "toolu_1").reading
    assert (reading.tokens, reading.window, reading.remaining, reading.used) == (EXHAUSTED, None, None, None)
    assert reading.window_source == "unknown"
    prompt = {**scene.payload(None, event="UserPromptSubmit"), "prompt": "Go on"}
    answer = dispatch.main(compact(prompt), str(scene.root)).stdout
    assert "unknown" in json.loads(answer)["hookSpecificOutput"]["additionalContext"]


def test_a_subagents_model_is_not_the_one_that_the_session_was_told(scene: Scene) -> None:
    """Its window is its own, although it runs the same model."""
    write_run(str(scene.root), scene.session_id, Run(time.time() - 5, f"{SHORT}[1m]"))
    own = scene.transcript.subagent("a1")
    for transcript in (scene.transcript, own):
        transcript.answer(NORMAL, model=SHORT, at=time.time())
    session = Session(str(scene.root), settings.load(str(scene.root)).config, {}, time.time())
    snapshot = snapshot_of(Conversation(scene.session_id, str(own.path), "a1"), session)
    assert snapshot is not None
    assert (snapshot.reading.window, measured(scene).reading.window) == (200_000, 1_000_000)


def test_a_bridge_without_a_size_gets_one_only_from_what_is_known(scene: Scene) -> None:
    """A size that is merely assumed would make a percentage of the client's another one."""
    scene.bridge(90, tokens=NORMAL, model_id=LONG)
    assumed = measured(scene).reading
    assert (assumed.source, assumed.remaining, assumed.window) == ("bridge", 90, None)
    scene.configure("window.size = 400_000")
    reading = measured(scene).reading
    assert (reading.source, reading.remaining, reading.window) == ("bridge", 75, 400_000)


@pytest.mark.parametrize("started_at", ["1e308", "-1", "NaN", '"x"'])
def test_a_run_that_started_at_no_time_is_none(scene: Scene, started_at: str) -> None:
    path = Path(paths.session_run(str(scene.root), scene.session_id))
    path.parent.mkdir(exist_ok=True)
    path.write_text(f'{{"started_at": {started_at}, "identity": "{LONG}"}}')
    assert read_run(str(scene.root), scene.session_id) == Run()
