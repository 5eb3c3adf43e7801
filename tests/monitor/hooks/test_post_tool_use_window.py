from pathlib import Path

import pytest

from shared.gauge.levels import begins_at
from shared.gauge.limit import Learned, compaction_key, read_learned, window_key, write_learned
from tests.levels import FIRST, FIRST_RULE
from tests.monitor.scene import CRITICAL, EXHAUSTED, NORMAL, WARNING, Scene, level_in
from tests.transcripts import MODEL, NEW_CLIENT, Transcript

COMPACTION_KEY = compaction_key(MODEL, NEW_CLIENT, 200_000, {})


def test_a_long_session_is_not_warned_at_the_standard_size(scene: Scene) -> None:
    scene.transcript.request(is_long=True)
    first = begins_at(FIRST_RULE, 1_000_000)
    assert scene.turn(EXHAUSTED) == [""]
    assert scene.turn(first - 1) == [""]
    assert scene.turn(first) == [FIRST.name]


def test_a_level_comes_once_if_the_windows_size_is_assumed(scene: Scene) -> None:
    bare = Scene(scene.root, Transcript(scene.transcript.path.with_name("bare.jsonl")))
    bare.session_id = "bare"
    assert bare.turns(WARNING, 20) == ["WARNING", *[""] * 19]
    assert bare.turns(CRITICAL, 20) == ["CRITICAL", *[""] * 19]


def test_tokens_beyond_the_standard_size_indicate_a_long_window(scene: Scene) -> None:
    assert scene.turn(210_000) == [""]


def test_the_environment_indicates_a_long_window(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_MODEL", "claude-opus-4-6[1M]")
    scene.transcript.record_requests(is_long=None)
    assert scene.turn(EXHAUSTED) == [""]


def test_a_request_for_the_standard_window_overrides_the_environment(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The client's `--model` asks for it, and nothing else shows that."""
    monkeypatch.setenv("ANTHROPIC_MODEL", "claude-opus-4-6[1M]")
    assert scene.turn(EXHAUSTED) == ["EXHAUSTED"]


def test_a_stale_bridge_still_provides_the_windows_size(scene: Scene) -> None:
    scene.transcript.answer(EXHAUSTED, tool_use_ids=["toolu_1"])
    scene.bridge(90, age=500, context_window_size=1_000_000, window_source="bridge")
    assert scene.message() == ""


def test_a_bridges_window_is_learnt_for_later_sessions(scene: Scene, tmp_path: Path) -> None:
    scene.transcript.answer(NORMAL, tool_use_ids=["toolu_1"])
    scene.client_bridge(NORMAL, 1_000_000, model_id="claude-opus-4-6")
    scene.message()
    assert read_learned(str(scene.root)).windows == {window_key(MODEL, NEW_CLIENT, {}): 1_000_000}
    other = Scene(scene.root, type(scene.transcript)(tmp_path / "headless.jsonl"))
    other.session_id = "headless"
    assert other.turn(EXHAUSTED) == [""]


def test_a_bridge_with_a_disproved_window_is_ignored(scene: Scene) -> None:
    """The client has reported 200k, and 0 % left, for sessions with a window of 1M."""
    scene.transcript.answer(250_000, tool_use_ids=["toolu_1"])
    scene.bridge(0, tokens=250_000, context_window_size=200_000, window_source="bridge")
    assert scene.message() == ""


def test_a_configured_size_overrides_a_bridge(scene: Scene) -> None:
    scene.configure("window.size = 1000000")
    scene.transcript.answer(CRITICAL, tool_use_ids=["toolu_1"])
    scene.bridge(25, tokens=CRITICAL, context_window_size=200_000, window_source="bridge")
    assert scene.message() == ""


@pytest.mark.parametrize("size", ["0", "-1", "2000001", "much", ""])
def test_an_invalid_size_in_the_environment_is_ignored(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, size: str
) -> None:
    monkeypatch.setenv("TIDEGAUGE_WINDOW__SIZE", size)
    assert scene.turn(WARNING) == ["WARNING"]


def test_a_subagent_of_another_model_has_its_own_window(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither its session's bridge nor the variable with its session's model applies to it."""
    monkeypatch.setenv("ANTHROPIC_MODEL", "claude-opus-4-6[1m]")
    scene.transcript.answer(NORMAL)
    scene.bridge(90, context_window_size=1_000_000, window_source="bridge", model_id="claude-opus-4-6[1m]")
    scene.transcript.subagent("a1").answer(WARNING, tool_use_ids=["toolu_a"], model="claude-haiku-4-5")
    scene.transcript.subagent("a2").answer(WARNING, tool_use_ids=["toolu_b"], model="claude-opus-4-6")
    assert level_in(scene.message("toolu_a", agent_id="a1")) == "WARNING"
    assert level_in(scene.message("toolu_b", agent_id="a2")) == ""


def test_an_observed_compaction_moves_the_levels_forward(scene: Scene) -> None:
    write_learned(str(scene.root), Learned(compactions={COMPACTION_KEY: 130_000}))
    assert "WARNING" not in scene.turn(109_999)
    scene.transcript.answer(110_000, tool_use_ids=["toolu_x"])
    text = scene.message("toolu_x")
    assert level_in(text) == "WARNING"
    assert "20,000 tokens until the client compacts at 130,000" in text


@pytest.mark.parametrize(("trigger", "is_learnt"), [("auto", True), ("manual", False)])
def test_only_an_automatic_compaction_is_learnt(scene: Scene, trigger: str, *, is_learnt: bool) -> None:
    scene.turn(160_000)
    scene.transcript.boundary(167_100, trigger=trigger)
    scene.turn(24_000)
    expected = {COMPACTION_KEY: 167_100} if is_learnt else {}
    assert read_learned(str(scene.root)).compactions == expected


def test_the_smallest_observed_compaction_is_kept(scene: Scene) -> None:
    for before in (168_000, 167_100, 169_000):
        scene.transcript.boundary(before)
        scene.turn(24_000)
    assert read_learned(str(scene.root)).compactions == {COMPACTION_KEY: 167_100}


def test_a_subagent_is_compacted_by_the_same_rule(scene: Scene) -> None:
    write_learned(str(scene.root), Learned(compactions={COMPACTION_KEY: 130_000}))
    assert "WARNING" not in scene.turn(109_999, agent="a1")
    assert scene.turn(110_000, agent="a1") == ["WARNING"]


def test_a_compaction_of_an_idle_session_teaches_nothing(scene: Scene) -> None:
    scene.transcript.answer(160_000, at=1_767_225_600)
    scene.transcript.boundary(160_500, at=1_767_225_600 + 54 * 60)
    scene.turn(24_000)
    assert read_learned(str(scene.root)).compactions == {}


def test_a_headless_session_of_a_long_by_default_model_has_a_long_window(scene: Scene) -> None:
    scene.transcript.answer(EXHAUSTED, tool_use_ids=["toolu_1"], model="claude-opus-5")
    scene.transcript.subagent("a1").answer(EXHAUSTED, tool_use_ids=["toolu_a"], model="claude-haiku-5-5")
    assert scene.message() == ""
    assert scene.message("toolu_a", agent_id="a1") == ""


def test_a_resumed_session_under_another_model_has_its_own_window(scene: Scene) -> None:
    """The bridge that the last run left is of the other model."""
    scene.transcript.answer(EXHAUSTED, tool_use_ids=["toolu_1"], model="claude-opus-4-6")
    scene.bridge(90, age=500, context_window_size=1_000_000, window_source="bridge", model_id="claude-opus-5")
    assert level_in(scene.message()) == "EXHAUSTED"


def test_the_window_of_an_unknown_model_is_not_guessed(scene: Scene) -> None:
    scene.transcript.answer(EXHAUSTED, tool_use_ids=["toolu_1"], model="some-gateway")
    assert "CONTEXT WINDOW WARNING — 162,000 tokens used, window size unknown." in scene.message()
