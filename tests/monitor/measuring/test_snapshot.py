import time
from pathlib import Path

import msgspec
import pytest

from monitor.measuring.snapshot import tail_of
from monitor.session import Conversation
from shared import paths
from shared.client.client_settings import Run, write_run
from shared.gauge import bridge as bridges
from shared.gauge.bridge import WindowNote
from shared.gauge.levels import Level
from shared.gauge.limit import Learned, Limit, compaction_key, window_key, write_learned
from tests.monitor.measuring.measurement import session_of, take_snapshot, try_snapshot
from tests.monitor.scene import CRITICAL, NORMAL, WARNING, Scene
from tests.transcripts import NEW_CLIENT


def test_a_reading_of_the_transcript_names_its_basis(scene: Scene) -> None:
    scene.transcript.answer(CRITICAL, at=1_767_225_600)
    snapshot = take_snapshot(scene)
    assert (snapshot.level, snapshot.limit_tokens) == (Level.CRITICAL, 167_000)
    reading = snapshot.reading
    assert (reading.tokens, reading.window, reading.remaining) == (CRITICAL, 200_000, 25)
    assert (reading.source, reading.window_source, reading.sampled_at) == ("transcript", "catalogue", 1_767_225_600)


def test_the_window_named_by_the_client_before_any_usage_is_believed(scene: Scene) -> None:
    bridges.write_note(str(scene.root), scene.session_id, WindowNote("claude-opus-4-6[1m]", 1_000_000))
    scene.transcript.answer(150_000)
    snapshot = take_snapshot(scene)
    assert (snapshot.level, snapshot.reading.window, snapshot.reading.window_source) == (
        Level.NORMAL,
        1_000_000,
        "bridge",
    )


def test_a_reading_of_the_bridge_names_its_basis(scene: Scene) -> None:
    scene.transcript.answer(NORMAL)
    scene.bridge(28.5, age=20, tokens=143_000, context_window_size=200_000, window_source="bridge")
    snapshot = take_snapshot(scene)
    reading = snapshot.reading
    assert (reading.tokens, reading.window, reading.remaining) == (143_000, 200_000, 28.5)
    assert (reading.source, reading.window_source) == ("bridge", "bridge")
    assert time.time() - reading.sampled_at >= 19


@pytest.mark.parametrize(
    ("arguments", "source"),
    [
        ({"TIDEGAUGE_WINDOW__SIZE": "500000"}, "config"),
        ({"ANTHROPIC_MODEL": "opus[1m]"}, "env-1m-detection"),
        ({}, "catalogue"),
    ],
)
def test_the_windows_source_travels_with_it(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, arguments: dict[str, str], source: str
) -> None:
    for name, value in arguments.items():
        monkeypatch.setenv(name, value)
    if "ANTHROPIC_MODEL" in arguments:  # a client that records its requests shows whether it still holds
        scene.transcript.record_requests(is_long=None)
    scene.transcript.answer(NORMAL)
    snapshot = take_snapshot(scene)
    assert snapshot.reading.window_source == source


@pytest.mark.parametrize(
    ("setting", "remaining", "window", "source"),
    [
        ("window.size = 150000", 20, 150_000, "config"),
        ("window.size = 160000", 25, 160_000, "config"),
        ("window.size = 100000", 40, 200_000, "catalogue"),  # more is in use
        ("", 40, 200_000, "catalogue"),
    ],
)
def test_a_window_from_a_setting_follows_the_current_setting(
    scene: Scene, setting: str, remaining: int, window: int, source: str
) -> None:
    scene.transcript.answer(120_000)
    scene.bridge(20, tokens=120_000, context_window_size=150_000, window_source="config", model_id="claude-opus-4-6")
    scene.configure(setting)
    snapshot = take_snapshot(scene)
    reading = snapshot.reading
    assert (reading.source, reading.tokens, reading.remaining) == ("bridge", 120_000, remaining)
    assert (reading.window, reading.window_source) == (window, source)


def test_a_learned_size_needs_a_transcript_that_names_the_client(scene: Scene) -> None:
    write_learned(str(scene.root), Learned({window_key("claude-opus-4-6", "", {}): 500_000}))
    scene.bridge(20, tokens=120_000, context_window_size=150_000, window_source="config", model_id="claude-opus-4-6")
    scene.transcript.path.unlink()
    reading = take_snapshot(scene).reading
    assert (reading.source, reading.window, reading.window_source) == ("bridge", 200_000, "catalogue")


def test_without_sources_nothing_is_measured(scene: Scene) -> None:
    assert try_snapshot(scene) is None
    scene.transcript.boundary(after=None)
    assert try_snapshot(scene) is None


def test_after_a_compaction_nothing_is_measured_before_the_next_answer_names_its_model(scene: Scene) -> None:
    scene.transcript.answer(CRITICAL)
    scene.transcript.boundary(after=3_200)
    assert try_snapshot(scene) is None
    scene.transcript.answer(24_000)
    snapshot = take_snapshot(scene)
    assert (snapshot.reading.tokens, snapshot.level) == (24_000, Level.NORMAL)


def test_a_compaction_is_expected_where_the_client_is_configured_to(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_AUTOCOMPACT_PCT_OVERRIDE", "50")
    scene.transcript.answer(80_000)
    scene.transcript.subagent("a1").answer(80_000)
    snapshot, own = take_snapshot(scene), take_snapshot(scene, "a1")
    assert (snapshot.limit_tokens, snapshot.level) == (90_000, Level.CRITICAL)
    assert (own.limit_tokens, own.level) == (90_000, Level.CRITICAL)


@pytest.mark.parametrize(("tokens", "limit"), [(150_000, 150_000), (150_001, 167_000)])
def test_a_learnt_limit_holds_until_a_reading_passes_it(scene: Scene, tokens: int, limit: int) -> None:
    key = compaction_key("claude-opus-4-6", NEW_CLIENT, 200_000, {})
    write_learned(str(scene.root), Learned(compactions={key: 150_000}))
    scene.transcript.answer(tokens)
    assert take_snapshot(scene).limit_tokens == 150_000
    scene.transcript.answer(tokens + 100)
    assert take_snapshot(scene).limit_tokens == limit


def test_a_result_that_passes_the_point_leaves_the_compaction_due(scene: Scene) -> None:
    scene.transcript.answer(158_000)
    scene.transcript.answer(170_400)
    snapshot = take_snapshot(scene)
    assert (snapshot.limit_tokens, snapshot.level) == (167_000, Level.EXHAUSTED)
    scene.transcript.answer(170_500)
    assert take_snapshot(scene).verdict.limit == Limit(177_000, "assumed", is_compacted=False)


@pytest.mark.parametrize(
    "stamp", ["", "yesterday", "2026-13-45T99:00:00Z", "0001-01-01T00:00:00", "9999-12-31T23:59:59Z"]
)
def test_an_odd_time_is_lost_alone(scene: Scene, stamp: str) -> None:
    scene.transcript.answer(WARNING, top={"timestamp": stamp})
    snapshot = take_snapshot(scene)
    assert snapshot.level is Level.WARNING
    assert "WARNING" in scene.message()


@pytest.mark.parametrize(("number", "is_padded"), [(None, True), (170_000, False)])
def test_a_reminder_without_a_number_is_padded(scene: Scene, number: int | None, *, is_padded: bool) -> None:
    scene.transcript.answer(NORMAL)
    plain = take_snapshot(scene)
    scene.transcript.reminder(number)
    snapshot = take_snapshot(scene)
    assert (plain.verdict.is_padded_reminder, snapshot.verdict.is_padded_reminder) == (False, is_padded)


def test_the_tail_holds_only_this_runs_records(scene: Scene) -> None:
    scene.transcript.request(is_long=True, at=100)
    scene.transcript.record_requests()
    write_run(paths.session_run(str(scene.root), scene.session_id), Run(started_at=200))
    tail = tail_of(Conversation(scene.session_id, str(scene.transcript.path)), session_of(scene))
    assert tail is not None
    assert tail.is_long is None


def test_a_snapshot_knows_the_sessions_project(scene: Scene, tmp_path: Path) -> None:
    scene.transcript.answer(NORMAL)
    snapshot = take_snapshot(scene)
    assert snapshot.project is None
    project = msgspec.structs.replace(snapshot, working_directory=str(tmp_path)).project
    assert project is not None
    assert project.working_directory == str(tmp_path)


def test_only_a_bridge_of_this_run_belongs_to_it(scene: Scene) -> None:
    scene.transcript.answer(NORMAL)
    scene.client_bridge(NORMAL, written_at=100)
    snapshot = take_snapshot(scene)
    assert snapshot.bridge is not None
    assert snapshot.bridge_of_run == snapshot.bridge
    assert msgspec.structs.replace(snapshot, run=Run(started_at=time.time() + 60)).bridge_of_run is None


def test_measuring_leaves_no_trace(scene: Scene) -> None:
    scene.transcript.boundary(167_100)
    scene.transcript.answer(24_000)
    scene.client_bridge(24_000, 1_000_000, model_id="claude-opus-4-6")
    before = sorted(scene.root.rglob("*"))

    take_snapshot(scene)

    assert sorted(scene.root.rglob("*")) == before


def test_a_window_configured_for_a_model_applies_to_that_model(scene: Scene) -> None:
    scene.configure('[window.models]\n"claude-opus-4-6" = 150_000\n')
    scene.transcript.answer(60_000)
    snapshot = take_snapshot(scene)
    assert (snapshot.reading.window, snapshot.reading.remaining) == (150_000, 60)


def test_a_percentage_of_another_window_is_recalculated_for_the_configured_one(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene.transcript.answer(NORMAL)
    scene.client_bridge(NORMAL)
    monkeypatch.setenv("TIDEGAUGE_WINDOW__SIZE", "400000")
    snapshot = take_snapshot(scene)
    reading = snapshot.reading
    assert (reading.source, reading.window, reading.window_source) == ("bridge", 400_000, "config")
    assert reading.remaining == 75


@pytest.mark.parametrize(("later", "source"), [(1, "bridge"), (1.001, "transcript")])
def test_another_programs_bridge_counts_up_to_the_end_of_its_second(scene: Scene, later: float, source: str) -> None:
    """Its time is in whole seconds, and it may have been written at the end of that second."""
    second = int(time.time()) - 20
    scene.transcript.answer(NORMAL, at=second + later)
    scene.foreign_bridge(40, timestamp=second)
    snapshot = take_snapshot(scene)
    assert snapshot.reading.source == source


def test_another_programs_bridge_counts_before_there_is_a_transcript(scene: Scene) -> None:
    scene.transcript.path.unlink()
    scene.foreign_bridge(40)
    snapshot = take_snapshot(scene)
    assert (snapshot.reading.source, snapshot.reading.remaining) == ("bridge", 40)


def test_a_bridge_without_a_size_gets_it_from_its_models_name(scene: Scene) -> None:
    scene.bridge(90, tokens=NORMAL, model_id="claude-opus-4-6[1m]")
    snapshot = take_snapshot(scene)
    assert (snapshot.reading.window, snapshot.reading.remaining) == (1_000_000, 90)


def test_our_bridge_counts_before_there_is_a_transcript(scene: Scene) -> None:
    scene.client_bridge(120_000)
    scene.transcript.path.unlink()
    snapshot = take_snapshot(scene)
    assert (snapshot.reading.source, snapshot.reading.tokens, snapshot.reading.window) == ("bridge", 120_000, 200_000)


def test_our_bridge_is_compared_by_transcript_size_and_not_by_time(scene: Scene) -> None:
    """The clock may have been set back between the answer and the status line's redraw."""
    scene.transcript.answer(NORMAL, at=time.time() + 60)
    scene.client_bridge(120_000)
    snapshot = take_snapshot(scene)
    assert snapshot.reading.source == "bridge"
