import sys
import threading
import time

import pytest

from tests.monitor.scene import CRITICAL, EXHAUSTED, NORMAL, WARNING, Scene, level_in


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The monitor's waiting time, pause by pause."""
    waits: list[float] = []
    sleep = time.sleep

    def pause(seconds: float) -> None:
        waits.append(seconds)
        sleep(seconds)

    monkeypatch.setattr("monitor.measuring.snapshot.time.sleep", pause)
    return waits


def later(scene: Scene, seconds: float, tokens: int, tool_use_id: str) -> threading.Thread:
    """Have the client write the answer `seconds` after the hook has started."""
    timer = threading.Timer(seconds, lambda: scene.transcript.answer(tokens, tool_use_ids=[tool_use_id]))
    timer.start()
    return timer


@pytest.mark.parametrize("seconds", [0.02, 0.08, 0.12])
def test_a_crossing_is_reported_at_the_first_result_after_it(scene: Scene, patient: None, seconds: float) -> None:
    scene.turn(NORMAL + 10_000)
    writing = later(scene, seconds, WARNING, "toolu_new")
    assert level_in(scene.message("toolu_new")) == "WARNING"
    writing.join()


def test_a_fresh_bridge_of_the_turn_before_does_not_hide_a_crossing(scene: Scene, patient: None) -> None:
    scene.turn(NORMAL + 10_000)
    scene.bridge(45, tokens=NORMAL + 10_000, context_window_size=200_000)
    writing = later(scene, 0.08, WARNING, "toolu_new")
    assert level_in(scene.message("toolu_new")) == "WARNING"
    writing.join()


def test_an_escalation_is_not_reported_a_turn_late(scene: Scene, patient: None) -> None:
    scene.turn(CRITICAL - 1)
    writing = later(scene, 0.08, CRITICAL, "toolu_new")
    assert level_in(scene.message("toolu_new")) == "CRITICAL"
    writing.join()


def test_far_from_a_level_the_hook_does_not_wait(scene: Scene, pauses: list[float]) -> None:
    for tokens in (35_000, 40_000, 45_000, 50_000):
        scene.turn(tokens)
    assert scene.message("toolu_unwritten") == ""
    assert pauses == []


def test_near_a_level_the_hook_does_not_wait_for_a_written_answer(scene: Scene, pauses: list[float]) -> None:
    scene.turn(WARNING - 1)
    scene.turn(EXHAUSTED)
    assert pauses == []


def test_near_a_level_the_wait_is_short_and_in_short_steps(scene: Scene, pauses: list[float]) -> None:
    scene.turn(WARNING)
    start = time.monotonic()
    scene.message("toolu_unwritten")
    assert pauses
    assert max(pauses) <= 0.02
    assert sum(pauses) <= 0.16
    assert time.monotonic() - start < 10


def test_a_payload_that_names_no_tool_use_is_not_waited_for(scene: Scene, pauses: list[float]) -> None:
    scene.turn(WARNING)
    scene.message(None)
    assert pauses == []


@pytest.mark.parametrize(("characters", "is_waited_for"), [(16_383, False), (16_384, True)])
def test_a_large_result_is_waited_for_at_the_next_tool_use(
    scene: Scene, pauses: list[float], characters: int, *, is_waited_for: bool
) -> None:
    """Neither the result nor the next answer need be in the transcript by then."""
    for tokens in (WARNING - 5_000, WARNING - 4_500, WARNING - 4_090, WARNING - 4_090):
        scene.transcript.answer(tokens)
    scene.message("toolu_large", tool_response="x" * (characters - 2))  # and its quotation marks
    pauses.clear()
    scene.message("toolu_unwritten")
    assert bool(pauses) == is_waited_for


@pytest.mark.parametrize("is_on", [True, False])
def test_while_waiting_the_hook_loads_the_modules_a_level_needs(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, *, is_on: bool
) -> None:
    setting = str(is_on).lower()
    scene.configure(f"[hooks]\npivot = {setting}\ncheckpoint = {setting}\n")
    scene.turn(CRITICAL - 1)
    late, loaded = ("monitor.pivot.announcement", "monitor.checkpoints.save"), []
    for name in late:
        monkeypatch.delitem(sys.modules, name, raising=False)
    pause = lambda _: loaded.append([name in sys.modules for name in late])  # noqa: E731  in one place
    monkeypatch.setattr("monitor.measuring.snapshot.time.sleep", pause)
    scene.message("toolu_unwritten")
    assert loaded[0] == [is_on, is_on]
