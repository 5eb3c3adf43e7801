import os
import time

import pytest

from monitor.measuring import measurement
from monitor.measuring.measurement import Measurement, measure
from monitor.session import Conversation, Session
from shared import bridge as bridges
from shared import learned, settings
from shared.bridge import WindowNote
from shared.learned import Learned
from shared.levels import Level
from tests.monitor.scene import CRITICAL, NORMAL, WARNING, Scene
from tests.transcripts import NEW_CLIENT


def session_of(scene: Scene) -> Session:
    return Session(str(scene.root), settings.load(str(scene.root)).config, os.environ, time.time())


def measured(scene: Scene, agent_id: str | None = None, tool_use_id: str = "") -> Measurement | None:
    own = scene.transcript.subagent(agent_id) if agent_id else scene.transcript
    return measure(Conversation(scene.session_id, str(own.path), agent_id), session_of(scene), tool_use_id)


def test_a_reading_of_the_transcript_names_its_basis(scene: Scene) -> None:
    scene.transcript.answer(CRITICAL, at=1_767_225_600)
    found = measured(scene)
    assert found is not None
    assert (found.level, found.limit_tokens) == (Level.CRITICAL, 167_000)
    reading = found.reading
    assert (reading.tokens, reading.window, reading.remaining) == (CRITICAL, 200_000, 25)
    assert (reading.source, reading.window_source, reading.sampled_at) == ("transcript", "default", 1_767_225_600)


def test_the_window_that_the_client_named_before_any_usage_is_believed(scene: Scene) -> None:
    bridges.write_note(str(scene.root), scene.session_id, WindowNote("claude-opus-4-6[1m]", 1_000_000))
    scene.transcript.answer(150_000)
    found = measured(scene)
    assert found is not None
    assert (found.level, found.reading.window, found.reading.window_source) == (Level.NORMAL, 1_000_000, "bridge")


def test_a_reading_of_the_bridge_names_its_basis(scene: Scene) -> None:
    scene.transcript.answer(NORMAL)
    scene.bridge(28.5, age=20, tokens=143_000, context_window_size=200_000, window_source="bridge")
    found = measured(scene)
    assert found is not None
    reading = found.reading
    assert (reading.tokens, reading.window, reading.remaining) == (143_000, 200_000, 28.5)
    assert (reading.source, reading.window_source) == ("bridge", "bridge")
    assert time.time() - reading.sampled_at >= 19


@pytest.mark.parametrize(
    ("given", "source"),
    [
        ({"TIDEGAUGE_WINDOW__SIZE": "500000"}, "config"),
        ({"ANTHROPIC_MODEL": "opus[1m]"}, "env-1m-detection"),
        ({}, "default"),
    ],
)
def test_the_windows_source_travels_with_it(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, given: dict[str, str], source: str
) -> None:
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    scene.transcript.answer(NORMAL)
    found = measured(scene)
    assert found is not None
    assert found.reading.window_source == source


def test_nothing_known_is_nothing_measured(scene: Scene) -> None:
    assert measured(scene) is None
    scene.transcript.boundary(after=None)
    assert measured(scene) is None


def test_after_a_compaction_nothing_is_measured_before_the_next_answer_names_its_model(scene: Scene) -> None:
    scene.transcript.answer(CRITICAL)
    scene.transcript.boundary(after=3_200)
    assert measured(scene) is None
    scene.transcript.answer(24_000)
    found = measured(scene)
    assert found is not None
    assert (found.reading.tokens, found.level) == (24_000, Level.NORMAL)


def test_a_compaction_is_expected_where_the_client_is_told_to(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_AUTOCOMPACT_PCT_OVERRIDE", "50")
    scene.transcript.answer(80_000)
    scene.transcript.subagent("a1").answer(80_000)
    found, own = measured(scene), measured(scene, "a1")
    assert found is not None
    assert own is not None
    assert (found.limit_tokens, found.level) == (90_000, Level.CRITICAL)
    assert (own.limit_tokens, own.level) == (90_000, Level.CRITICAL)


@pytest.mark.parametrize(("tokens", "limit"), [(150_000, 150_000), (150_001, 167_000)])
def test_a_learnt_limit_holds_until_a_reading_lies_beyond_it(scene: Scene, tokens: int, limit: int) -> None:
    key = learned.compaction_key("claude-opus-4-6", NEW_CLIENT, 200_000, {})
    learned.write(str(scene.root), Learned(compactions={key: 150_000}))
    scene.transcript.answer(tokens)
    found = measured(scene)
    assert found is not None
    assert found.limit_tokens == limit


@pytest.mark.parametrize(
    "stamp", ["", "yesterday", "2026-13-45T99:00:00Z", "0001-01-01T00:00:00", "9999-12-31T23:59:59Z"]
)
def test_an_odd_time_costs_nothing_but_itself(scene: Scene, stamp: str) -> None:
    scene.transcript.answer(WARNING, top={"timestamp": stamp})
    found = measured(scene)
    assert found is not None
    assert found.level is Level.WARNING
    assert "WARNING" in scene.told()


def test_the_wait_covers_what_was_measured_of_the_client() -> None:
    """127 ms at most, and no more than the promised 150."""
    assert 0.127 < measurement.LAG_SECONDS <= 0.150


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The pauses that a measurement makes; they alone move its clock on, so a busy machine makes none fewer."""
    made: list[float] = []
    monkeypatch.setattr("monitor.measuring.measurement.time.monotonic", lambda: sum(made))
    monkeypatch.setattr("monitor.measuring.measurement.time.sleep", made.append)
    return made


@pytest.mark.parametrize(("tokens", "waits"), [(WARNING - 26_000, False), (WARNING - 25_000, True), (CRITICAL, True)])
def test_it_waits_where_one_more_turn_could_reach_a_level(
    scene: Scene, pauses: list[float], tokens: int, *, waits: bool
) -> None:
    for before in (300, 200, 100, 0):
        scene.transcript.answer(tokens - before)
    measured(scene, tool_use_id="toolu_unwritten")
    assert bool(pauses) is waits


def test_it_waits_while_too_few_turns_have_been_seen(scene: Scene, pauses: list[float]) -> None:
    scene.transcript.answer(20_000)
    measured(scene, tool_use_id="toolu_unwritten")
    assert pauses


def test_it_waits_where_nothing_has_been_measured_yet(scene: Scene, pauses: list[float]) -> None:
    assert measured(scene, tool_use_id="toolu_unwritten") is None
    assert pauses


@pytest.mark.parametrize("tokens", [None, 100_000])
@pytest.mark.parametrize(("remaining", "waits"), [(47, True), (48, False)])
def test_where_the_windows_size_is_unknown_it_waits_within_a_large_turn_of_a_level(
    scene: Scene, pauses: list[float], remaining: int, tokens: int | None, *, waits: bool
) -> None:
    scene.bridge(remaining, tokens=tokens)
    found = measured(scene, tool_use_id="toolu_unwritten")
    assert found is not None
    assert (found.reading.tokens, found.reading.window) == (tokens, None)
    assert bool(pauses) is waits


@pytest.mark.parametrize(("left", "is_padded"), [(None, True), (170_000, False)])
def test_a_reminder_without_a_number_is_padded(scene: Scene, left: int | None, *, is_padded: bool) -> None:
    scene.transcript.answer(NORMAL)
    plain = measured(scene)
    scene.transcript.reminder(left)
    found = measured(scene)
    assert plain is not None
    assert found is not None
    assert (plain.verdict.is_padded_reminder, found.verdict.is_padded_reminder) == (False, is_padded)


@pytest.mark.parametrize(("tool_use_id", "waits"), [("toolu_written", False), ("toolu_unwritten", True), ("", False)])
def test_the_transcripts_reading_waits_for_the_answer_that_calls_the_tool(
    scene: Scene, pauses: list[float], tool_use_id: str, *, waits: bool
) -> None:
    scene.transcript.answer(NORMAL, tool_use_ids=("toolu_written",))
    conversation = Conversation(scene.session_id, str(scene.transcript.path), None)
    reading = measurement.transcript_reading(conversation, session_of(scene), tool_use_id)
    assert reading is not None
    assert reading.tokens == NORMAL
    assert bool(pauses) is waits


def test_measuring_leaves_no_trace(scene: Scene) -> None:
    scene.transcript.boundary(167_100)
    scene.transcript.answer(24_000)
    scene.bridge(90, tokens=24_000, context_window_size=1_000_000, window_source="bridge", model_id="claude-opus-4-6")
    before = sorted(scene.root.rglob("*"))

    assert measured(scene) is not None

    assert sorted(scene.root.rglob("*")) == before


def test_a_window_configured_for_a_model_is_that_models(scene: Scene) -> None:
    scene.configure('[window.models]\n"claude-opus-4-6" = 150_000\n')
    scene.transcript.answer(60_000)
    found = measured(scene)
    assert found is not None
    assert (found.reading.window, found.reading.remaining) == (150_000, 60)


def test_who_knows_the_window_better_is_not_contradicted_by_the_models_setting(scene: Scene) -> None:
    scene.configure('[window.models]\n"claude-opus-4-6" = 150_000\n')
    scene.transcript.answer(60_000)
    conversation = Conversation(scene.session_id, str(scene.transcript.path))
    reading = measurement.transcript_reading(conversation, session_of(scene), window_size=120_000)
    assert reading is not None
    assert (reading.window, reading.remaining) == (120_000, 50)


def test_a_percentage_of_another_window_than_the_configured_one_is_worked_out_again(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene.transcript.answer(NORMAL)
    scene.bridge(50, tokens=NORMAL, context_window_size=200_000, window_source="bridge")
    monkeypatch.setenv("TIDEGAUGE_WINDOW__SIZE", "400000")
    found = measured(scene)
    assert found is not None
    reading = found.reading
    assert (reading.source, reading.window, reading.window_source) == ("bridge", 400_000, "config")
    assert reading.remaining == 75


@pytest.mark.parametrize(("later", "source"), [(1, "bridge"), (1.001, "transcript")])
def test_another_programs_bridge_counts_up_to_the_end_of_its_second(scene: Scene, later: float, source: str) -> None:
    """It gives whole seconds, and may have been written at the end of the one that it names."""
    second = int(time.time()) - 20
    scene.transcript.answer(NORMAL, at=second + later)
    scene.foreign_bridge(40, timestamp=second)
    found = measured(scene)
    assert found is not None
    assert found.reading.source == source


def test_another_programs_bridge_counts_before_there_is_a_transcript(scene: Scene) -> None:
    scene.transcript.path.unlink()
    scene.foreign_bridge(40)
    found = measured(scene)
    assert found is not None
    assert (found.reading.source, found.reading.remaining) == ("bridge", 40)


def test_a_bridge_without_a_size_has_the_one_that_its_models_name_says(scene: Scene) -> None:
    scene.bridge(90, tokens=NORMAL, model_id="claude-opus-4-6[1m]")
    found = measured(scene)
    assert found is not None
    assert (found.reading.window, found.reading.remaining) == (1_000_000, 90)


def test_our_bridge_counts_before_there_is_a_transcript(scene: Scene) -> None:
    scene.bridge(40, tokens=120_000, context_window_size=200_000, window_source="bridge")
    scene.transcript.path.unlink()
    found = measured(scene)
    assert found is not None
    assert (found.reading.source, found.reading.tokens, found.reading.window) == ("bridge", 120_000, 200_000)


def test_our_bridge_is_compared_by_the_transcripts_size_and_not_by_the_clock(scene: Scene) -> None:
    """The clock may have been set back between the answer and the status line's redraw."""
    scene.transcript.answer(NORMAL, at=time.time() + 60)
    scene.bridge(40, tokens=120_000, context_window_size=200_000, window_source="bridge")
    found = measured(scene)
    assert found is not None
    assert found.reading.source == "bridge"


def test_it_never_waits_in_a_window_of_unknown_size(scene: Scene, pauses: list[float]) -> None:
    scene.transcript.answer(NORMAL, model="another-model")
    found = measured(scene, tool_use_id="toolu_unwritten")
    assert found is not None
    assert found.reading.remaining is None
    assert not pauses
