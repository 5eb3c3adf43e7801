"""Data of a session's earlier runs is only remembered: model, window and client may differ now."""

import time

import pytest

from monitor import dispatch
from shared.client.client_settings import ClientSettings, Run, write_run
from shared.gauge import bridge as bridges
from shared.gauge.bridge import WindowNote
from shared.gauge.limit import read_learned
from tests.monitor.measuring.measurement import remember_last_run, run_file, take_snapshot
from tests.monitor.scene import EXHAUSTED, NORMAL, Scene
from tests.transcripts import NEW_CLIENT, OLD_CLIENT, Transcript

LONG, SHORT = "claude-opus-5", "claude-opus-4-6"


def start(scene: Scene, source: str = "resume") -> None:
    dispatch.main(scene.stdin(None, event="SessionStart", source=source), str(scene.root))


@pytest.mark.parametrize(("has_answer", "seconds"), [(False, 2.0), (True, 0.1)])
def test_the_first_draw_may_come_before_the_start(scene: Scene, seconds: float, *, has_answer: bool) -> None:
    if has_answer:
        scene.transcript.answer(NORMAL, model=SHORT, at=time.time() - 60)
    note = WindowNote(f"{SHORT}[1m]", 1_000_000, time.time() - seconds)
    bridges.write_note(str(scene.root), scene.session_id, note)
    start(scene, "resume" if has_answer else "startup")
    scene.transcript.answer(EXHAUSTED, model=SHORT, at=time.time())
    assert take_snapshot(scene).reading.window == 1_000_000


@pytest.mark.parametrize(("before", "after", "size"), [(LONG, SHORT, 200_000), (SHORT, LONG, 1_000_000)])
def test_a_session_resumed_under_another_model_has_that_models_window(
    scene: Scene, before: str, after: str, size: int
) -> None:
    remember_last_run(scene, before, 1_200_000 - size)
    start(scene)
    scene.transcript.answer(EXHAUSTED, model=after, tool_use_ids=["toolu_1"], at=time.time())
    snapshot = take_snapshot(scene, tool_use_id="toolu_1")
    assert (snapshot.reading.tokens, snapshot.reading.window) == (EXHAUSTED, size)


@pytest.mark.parametrize(("before", "after"), [(True, False), (False, True)])
def test_a_session_resumed_with_another_beta_has_that_window(scene: Scene, *, before: bool, after: bool) -> None:
    sizes = {True: 1_000_000, False: 200_000}
    scene.transcript.request(is_long=before)
    remember_last_run(scene, SHORT, sizes[before])
    start(scene)
    scene.transcript.request(is_long=after, at=time.time())
    scene.transcript.answer(NORMAL, model=SHORT, tool_use_ids=["toolu_1"], at=time.time())
    assert take_snapshot(scene, tool_use_id="toolu_1").reading.window == sizes[after]


@pytest.mark.parametrize(("before", "window"), [(True, 1_000_000), (False, 200_000)])
def test_before_its_first_answer_a_resumed_session_has_its_last_runs_window(
    scene: Scene, window: int, *, before: bool
) -> None:
    scene.transcript.request(is_long=before, at=time.time() - 61)
    scene.transcript.answer(NORMAL, model=SHORT, at=time.time() - 60)
    start(scene)
    assert take_snapshot(scene).reading.window == window


@pytest.mark.parametrize("source", ["resume", "startup"])
@pytest.mark.parametrize(("records", "window"), [(True, 200_000), (False, 1_000_000)])
def test_the_last_runs_bridge_is_remembered_if_this_run_records_nothing(
    scene: Scene, source: str, window: int, *, records: bool
) -> None:
    """Such a bridge is neither believed nor learnt from."""
    bare = scene if records else Scene(scene.root, Transcript(scene.transcript.path.with_name("bare.jsonl")))
    remember_last_run(bare, SHORT, 1_000_000)
    start(bare, source)
    if records:
        bare.transcript.answer(NORMAL, model=SHORT, at=time.time() + 1)
    snapshot = take_snapshot(bare)
    assert (snapshot.reading.source, snapshot.reading.window) == ("transcript", window)
    bare.message()
    assert read_learned(str(scene.root)).windows == {}


@pytest.mark.parametrize(("asked", "window"), [("", 1_000_000), (f"{SHORT}[1m]", 1_000_000), (SHORT, 200_000)])
def test_the_last_runs_window_is_forgotten_if_the_variable_asks_for_another(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, asked: str, window: int
) -> None:
    """The earlier client records nothing of it without a screen."""
    bare = Scene(scene.root, Transcript(scene.transcript.path.with_name("bare.jsonl")))
    remember_last_run(bare, f"{SHORT}[1m]", 1_000_000)
    start(bare, "resume")
    monkeypatch.setenv("ANTHROPIC_MODEL", asked)
    assert take_snapshot(bare).reading.window == window


@pytest.mark.parametrize(
    ("run", "source"),
    [
        (Run(), "env-1m-detection"),
        (Run(settings=ClientSettings(agent="writer")), "default"),
        (Run(model=f"{SHORT}[1m]", settings=ClientSettings(agent="writer")), "env-1m-detection"),
    ],
)
def test_an_agent_may_have_another_model_than_the_variables(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, run: Run, source: str
) -> None:
    """The earlier client records nothing of it without a screen. What the command line names goes before."""
    bare = Scene(scene.root, Transcript(scene.transcript.path.with_name("bare.jsonl"), version=OLD_CLIENT))
    monkeypatch.setenv("ANTHROPIC_MODEL", f"{SHORT}[1m]")
    write_run(run_file(bare), run)
    bare.transcript.answer(NORMAL, model=SHORT)
    assert take_snapshot(bare).reading.window_source == source


def test_this_runs_bridge_is_believed_and_learnt_from(scene: Scene) -> None:
    start(scene)
    scene.transcript.answer(NORMAL, model=SHORT)
    scene.client_bridge(NORMAL, 1_000_000, model_id=SHORT, written_at=time.time())
    snapshot = take_snapshot(scene)
    assert (snapshot.reading.source, snapshot.reading.window) == ("bridge", 1_000_000)
    scene.message()
    assert list(read_learned(str(scene.root)).windows.values()) == [1_000_000]


def test_another_programs_bridge_belongs_to_the_run_of_its_second(scene: Scene) -> None:
    start(scene)
    scene.foreign_bridge(20)
    assert take_snapshot(scene).reading.source == "bridge"
    scene.foreign_bridge(20, age=30)
    scene.transcript.answer(NORMAL)
    assert take_snapshot(scene).reading.source == "transcript"


def test_before_a_resumed_sessions_first_answer_the_status_line_names_its_model(scene: Scene) -> None:
    remember_last_run(scene, SHORT, 200_000)
    start(scene)
    bridges.write_note(str(scene.root), scene.session_id, WindowNote(f"{LONG}[1m]", 1_000_000, time.time()))
    snapshot = take_snapshot(scene)
    assert (snapshot.reading.tokens, snapshot.reading.window, snapshot.reading.window_source) == (
        NORMAL,
        1_000_000,
        "bridge",
    )


@pytest.mark.parametrize(("switched", "window"), [("opus[1m]", 1_000_000), ("opus", 200_000)])
def test_an_alias_switched_to_applies_from_the_next_answer(scene: Scene, switched: str, window: int) -> None:
    """Until then the model's window is unknown; the client's command line no longer applies."""
    scene.transcript = Transcript(scene.transcript.path, version=OLD_CLIENT)
    write_run(run_file(scene), Run(model=f"{SHORT}[1m]"))
    scene.transcript.answer(NORMAL, model="claude-haiku-4-5")
    scene.transcript.prompt(f"<local-command-stdout>Set model to {switched}</local-command-stdout>")
    scene.transcript.answer(NORMAL, model=SHORT)
    assert take_snapshot(scene).reading.window == window


def test_a_note_of_the_last_run_is_ignored(scene: Scene) -> None:
    bridges.write_note(str(scene.root), scene.session_id, WindowNote(SHORT, 1_000_000, time.time() - 5))
    start(scene)
    scene.transcript.answer(NORMAL, model=SHORT, at=time.time())
    assert take_snapshot(scene).reading.window == 200_000


def test_with_1m_disabled_since_the_last_run_the_window_is_the_standard_one(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    remember_last_run(scene, LONG, 1_000_000)
    start(scene)
    scene.transcript.names_model(f"{LONG}[1m]", at=time.time())
    scene.transcript.answer(NORMAL, model=LONG, tool_use_ids=["toolu_1"], at=time.time())
    assert take_snapshot(scene, tool_use_id="toolu_1").reading.window == 1_000_000
    monkeypatch.setenv("CLAUDE_CODE_DISABLE_1M_CONTEXT", "1")
    assert take_snapshot(scene, tool_use_id="toolu_1").reading.window == 200_000


def test_the_name_of_the_model_is_kept_for_a_long_run(scene: Scene) -> None:
    """The client names it once, and the tail doesn't reach that far."""
    start(scene)
    scene.transcript.names_model(f"{SHORT}[1m]", at=time.time())
    assert scene.turn(NORMAL) == [""]
    scene.transcript.grow(3 << 20)
    assert scene.turn(EXHAUSTED) == [""]
    assert take_snapshot(scene).reading.window_source == "env-1m-detection"
    start(scene)
    scene.transcript.answer(NORMAL, at=time.time())
    assert take_snapshot(scene).reading.window == 200_000


def test_a_subagents_model_is_not_the_sessions_named_model(scene: Scene) -> None:
    """Its window is its own, even with the same model."""
    write_run(run_file(scene), Run(time.time() - 5, f"{SHORT}[1m]"))
    own = scene.transcript.subagent("a1")
    for transcript in (scene.transcript, own):
        transcript.answer(NORMAL, model=SHORT, at=time.time())
    windows = [take_snapshot(scene, agent_id).reading.window for agent_id in ("a1", None)]
    assert windows == [200_000, 1_000_000]


@pytest.mark.parametrize(("of_session", "own"), [(SHORT, f"{SHORT}[1m]"), (f"{SHORT}[1m]", SHORT)])
@pytest.mark.parametrize("version", [NEW_CLIENT, OLD_CLIENT])
def test_a_subagents_named_window_overrides_the_sessions(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, version: str, of_session: str, own: str
) -> None:
    """It is named in its own transcript, and in older clients by the variable for all subagents."""
    sizes = {SHORT: 200_000, f"{SHORT}[1m]": 1_000_000}
    scene.transcript = Transcript(scene.transcript.path, version=version)
    transcript = scene.transcript.subagent("a1")
    if version == OLD_CLIENT:
        monkeypatch.setenv("CLAUDE_CODE_SUBAGENT_MODEL", own)
    else:
        transcript.names_model(own, at=time.time())
    transcript.answer(NORMAL, model=SHORT, at=time.time())
    scene.client_bridge(NORMAL, sizes[of_session], model_id=of_session, written_at=time.time())
    reading = take_snapshot(scene, "a1").reading
    assert (reading.window, reading.window_source.certainty) == (sizes[own], "known")
