"""When a snapshot waits for the client's pending writes."""

from typing import Any

import pytest

from monitor.measuring import snapshot
from tests.levels import FIRST_RULE, FIRST_TOKENS
from tests.monitor.measuring.measurement import take_snapshot, try_snapshot
from tests.monitor.scene import CRITICAL, NORMAL, WARNING, Scene


def test_the_wait_covers_the_clients_measured_delay() -> None:
    """The measured delay is 127 ms at most, and the promised wait 150 ms."""
    assert 0.127 < snapshot.LAG_SECONDS <= 0.150


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A measurement's pauses; they alone advance its clock, so a busy machine doesn't reduce their number."""
    waits: list[float] = []
    monkeypatch.setattr("monitor.measuring.snapshot.time.monotonic", lambda: sum(waits))
    monkeypatch.setattr("monitor.measuring.snapshot.time.sleep", waits.append)
    return waits


@pytest.mark.parametrize(
    ("tokens", "waits"),
    [(WARNING - 2_000, False), (WARNING - 50, True), (CRITICAL, False), (CRITICAL - 50, True)],
)
def test_it_waits_if_one_more_turn_could_reach_a_level(
    scene: Scene, pauses: list[float], tokens: int, *, waits: bool
) -> None:
    for before in (300, 200, 100, 0):
        scene.transcript.answer(tokens - before)
    take_snapshot(scene, tool_use_id="toolu_unwritten")
    assert bool(pauses) is waits


def test_it_waits_while_too_few_turns_have_been_seen(scene: Scene, pauses: list[float]) -> None:
    scene.transcript.answer(20_000)
    take_snapshot(scene, tool_use_id="toolu_unwritten")
    assert pauses


def test_it_waits_if_nothing_has_been_measured_yet(scene: Scene, pauses: list[float]) -> None:
    assert try_snapshot(scene, tool_use_id="toolu_unwritten") is None
    assert pauses


@pytest.mark.parametrize("tokens", [None, 100_000])
@pytest.mark.parametrize(
    ("remaining", "waits"), [(FIRST_RULE.remaining + 12, True), (FIRST_RULE.remaining + 13, False)]
)
def test_with_an_unknown_window_size_it_waits_within_a_large_turn_of_a_level(
    scene: Scene, pauses: list[float], remaining: float, tokens: int | None, *, waits: bool
) -> None:
    scene.bridge(remaining, tokens=tokens)
    result = take_snapshot(scene, tool_use_id="toolu_unwritten")
    assert (result.reading.tokens, result.reading.window) == (tokens, None)
    assert bool(pauses) is waits


@pytest.mark.parametrize(("tool_use_id", "waits"), [("toolu_written", False), ("toolu_unwritten", True), ("", False)])
def test_it_waits_for_the_answer_that_calls_the_tool_if_a_message_is_due(
    scene: Scene, pauses: list[float], tool_use_id: str, *, waits: bool
) -> None:
    for before in (300, 200, 100):
        scene.transcript.answer(20_000 - before)
    scene.transcript.answer(20_000, tool_use_ids=("toolu_written",))
    result = take_snapshot(scene, tool_use_id=tool_use_id, is_due=lambda _: True)
    assert result.reading.tokens == 20_000
    assert bool(pauses) is waits


@pytest.mark.parametrize(
    ("arguments", "waits"),
    [
        ({}, False),
        ({"pending_bytes": 40_000}, False),
        ({"pending_bytes": 140_000}, True),
        ({"result_bytes": 40_000}, False),
        ({"result_bytes": 140_000}, True),
    ],
)
def test_it_waits_if_unwritten_lines_could_reach_a_level(
    scene: Scene, pauses: list[float], arguments: dict[str, Any], *, waits: bool
) -> None:
    for before in (300, 200, 100, 0):
        scene.transcript.answer(FIRST_TOKENS - 29_000 - before)
    take_snapshot(scene, tool_use_id="toolu_unwritten", **arguments)
    assert bool(pauses) is waits


def test_it_never_waits_in_a_window_of_unknown_size(scene: Scene, pauses: list[float]) -> None:
    scene.transcript.answer(NORMAL, model="another-model")
    result = take_snapshot(scene, tool_use_id="toolu_unwritten")
    assert result.reading.remaining is None
    assert not pauses
