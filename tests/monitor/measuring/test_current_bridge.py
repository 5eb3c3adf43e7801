import time
from typing import Any

import pytest

from tests.monitor.measuring.measurement import take_snapshot
from tests.monitor.scene import CRITICAL, EXHAUSTED, NORMAL, Scene
from tests.transcripts import MODEL


def source_of(scene: Scene) -> str:
    return take_snapshot(scene).reading.source


def leave_bridge(scene: Scene, tokens: int, age: float, **fields: Any) -> None:
    scene.client_bridge(tokens, age=age, model_id=MODEL, **fields)


@pytest.mark.parametrize("age", [1, 50, 300, 86_400], ids=lambda age: f"{age} s ago")
@pytest.mark.parametrize("has_grown", [False, True])
def test_a_smaller_fill_since_the_last_answer_is_a_rewind(scene: Scene, age: float, *, has_grown: bool) -> None:
    scene.transcript.answer(EXHAUSTED, at=time.time() - age - 10)
    leave_bridge(scene, NORMAL, age)
    if has_grown:
        scene.transcript.append({"type": "file-history-snapshot", "messageId": "1", "snapshot": {}})

    assert source_of(scene) == "bridge"


@pytest.mark.parametrize("after", [-300, -1, 0.5, 300])
def test_an_answer_ends_the_rewind(scene: Scene, after: float) -> None:
    """A sample is stamped with the second that it falls into."""
    sampled = int(time.time()) - 400
    leave_bridge(scene, NORMAL, time.time() - sampled)
    scene.transcript.answer(CRITICAL, at=sampled + after)

    assert source_of(scene) == ("bridge" if after <= -1 else "transcript")


def test_a_compaction_ends_the_rewind(scene: Scene) -> None:
    scene.transcript.answer(EXHAUSTED, at=time.time() - 400)
    leave_bridge(scene, NORMAL - 1_000, 300)
    scene.transcript.boundary(at=time.time() - 200)
    scene.transcript.answer(NORMAL, at=time.time() - 350)

    assert source_of(scene) == "transcript"


@pytest.mark.parametrize("tokens", [CRITICAL, EXHAUSTED])
def test_an_old_sample_of_the_same_size_shows_no_rewind(scene: Scene, tokens: int) -> None:
    scene.transcript.answer(CRITICAL, at=time.time() - 400)
    leave_bridge(scene, tokens, 300)

    assert source_of(scene) == "transcript"


@pytest.mark.parametrize("ahead", [55, 65])
def test_a_sample_from_the_far_future_shows_no_rewind(scene: Scene, ahead: float) -> None:
    scene.transcript.answer(CRITICAL, at=time.time() - 400)
    leave_bridge(scene, NORMAL, -ahead)

    assert source_of(scene) == ("bridge" if ahead < 60 else "transcript")


def test_an_answer_without_a_time_shows_no_rewind(scene: Scene) -> None:
    scene.transcript.answer(CRITICAL, top={"timestamp": ""})
    leave_bridge(scene, NORMAL, 300)

    assert source_of(scene) == "transcript"


@pytest.mark.parametrize(("later", "source"), [(-1, "transcript"), (0.9, "transcript"), (1.1, "bridge")])
def test_a_sample_of_the_answer_before_is_old_unless_it_was_drawn_later(
    scene: Scene, later: float, source: str
) -> None:
    """However large the file was by then: the client wrote the newest answer while the line was drawn."""
    answered = time.time() - 2
    scene.transcript.answer(NORMAL, at=answered - 60)
    scene.transcript.answer(CRITICAL, at=answered)
    leave_bridge(scene, NORMAL, 2, written_at=answered + later)

    assert source_of(scene) == source
