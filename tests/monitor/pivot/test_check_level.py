"""The pivot reports its levels again after a fall, however far the window has emptied."""

import pytest

from monitor.pivot import state as states
from tests.monitor.hooks.pivot_turns import take_notice
from tests.monitor.scene import Scene

ALERT, NEAR, FAR = 140_000, 99_000, 20_000
"""Tokens: at the pivot's second level, just below its first, and far below that, where nothing looks for it."""


@pytest.fixture(autouse=True)
def _ending(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:  # after the scene has cleared the environment
    monkeypatch.setenv("DISABLE_AUTO_COMPACT", "1")


def notice(scene: Scene, tokens: int) -> str | None:
    """The notice for the person's next prompt after one turn at `tokens` tokens."""
    name = f"toolu_{scene.transcript.size}"
    scene.transcript.answer(tokens, id=f"msg_{name}", tool_use_ids=[name])
    scene.answered(name)
    scene.transcript.result(name)
    return take_notice(scene)


@pytest.mark.parametrize("below", [NEAR, FAR])
def test_a_level_is_reported_again_after_a_fall(scene: Scene, below: int) -> None:
    message = [notice(scene, tokens) is not None for tokens in (ALERT, below, ALERT, ALERT)]
    assert message == [True, False, True, False]


def test_far_from_its_levels_a_session_leaves_no_state(scene: Scene) -> None:
    notice(scene, FAR)
    assert states.read(str(scene.root), scene.session_id) is None


def test_near_its_levels_a_session_is_measured_and_nothing_is_recorded(scene: Scene) -> None:
    assert notice(scene, NEAR) is None
    state = states.read(str(scene.root), scene.session_id)
    assert state is not None
    assert (state.estimated_tokens, state.thresholds_triggered) == (NEAR, ())


def test_measurements_are_kept_once_a_level_has_been_near(scene: Scene) -> None:
    notice(scene, ALERT)
    notice(scene, NEAR)
    state = states.read(str(scene.root), scene.session_id)
    assert state is not None
    assert (state.estimated_tokens, state.context_percent, state.context_source) == (NEAR, 0.495, "transcript")
    assert state.tool_calls == 2
