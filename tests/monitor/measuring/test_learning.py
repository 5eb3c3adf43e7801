import os

import pytest

from monitor.measuring import learning
from monitor.measuring.measurement import Measurement
from monitor.session import Conversation, Session
from shared import learned
from shared.bridge import Bridge
from shared.config import Config
from shared.learned import Learned
from shared.levels import Level
from shared.reading import Reading
from shared.transcript import Tail, read_tail
from tests.monitor.scene import Scene

MODEL, WINDOW = "claude-opus-4-6", 200_000
KEY = f"{MODEL}|{WINDOW}||"


def session_of(scene: Scene) -> Session:
    return Session(str(scene.root), Config(), {}, 0.0)


def tail_of(scene: Scene) -> Tail | None:
    return read_tail(str(scene.transcript.path))


def bridge(size: int | None = 1_000_000, source: str | None = "bridge", model: str | None = MODEL) -> Bridge:
    return Bridge("s", 90, 10, 0, context_window_size=size, window_source=source, model_id=model)


def learnt(scene: Scene, found: Bridge | None, size: int | None = WINDOW, known: Learned | None = None) -> Learned:
    """What is known after `found` and the transcript have been looked at."""
    reading = Reading(90, None, size, "transcript", "api-request", 0.0)
    measured = Measurement(reading, Level.NORMAL, None, tail_of(scene), found, known or Learned())
    learning.learn(Conversation(scene.session_id, str(scene.transcript.path)), session_of(scene), measured)
    return learned.read(str(scene.root))


def test_a_bridge_teaches_its_models_window(scene: Scene) -> None:
    assert learnt(scene, bridge()).windows == {MODEL: 1_000_000}


@pytest.mark.parametrize(
    "found",
    [
        None,
        bridge(source="config"),
        bridge(source="tokens"),
        bridge(source=None),
        bridge(size=None),
        bridge(model=None),
    ],
)
def test_only_what_the_client_said_teaches_a_window(scene: Scene, found: Bridge | None) -> None:
    assert learnt(scene, found) == Learned()


def test_a_newer_size_replaces_an_older_one(scene: Scene) -> None:
    """The same id has 200k in one version of the client and 1M in another."""
    assert learnt(scene, bridge(), known=Learned({MODEL: 200_000, "other": 5})).windows == {
        MODEL: 1_000_000,
        "other": 5,
    }


def test_an_automatic_compaction_teaches_its_place(scene: Scene) -> None:
    scene.transcript.boundary(167_100)
    scene.transcript.answer(24_000)
    assert learnt(scene, None).compactions == {KEY: 167_100}


@pytest.mark.parametrize(("before", "kept"), [(168_000, 167_500), (167_000, 167_000)])
def test_the_smallest_place_is_kept(scene: Scene, before: int, kept: int) -> None:
    known = Learned(compactions={KEY: 167_500})
    learned.write(str(scene.root), known)
    scene.transcript.boundary(before)
    scene.transcript.answer(24_000)
    assert learnt(scene, None, known=known).compactions == {KEY: kept}


def test_a_compaction_of_an_unknown_model_or_window_teaches_nothing(scene: Scene) -> None:
    scene.transcript.boundary(167_100)
    assert learnt(scene, None) == Learned()
    scene.transcript.answer(24_000)
    assert learnt(scene, None, size=None) == Learned()


def test_a_compaction_that_the_person_asked_for_teaches_nothing(scene: Scene) -> None:
    scene.transcript.boundary(27_053, trigger="manual")
    scene.transcript.answer(24_000)
    assert learnt(scene, None) == Learned()


def test_what_is_known_is_not_written_again(scene: Scene) -> None:
    known = learnt(scene, bridge())
    path = scene.root / "learned.json"
    os.utime(path, (0, 0))
    learnt(scene, bridge(), known=known)
    assert path.stat().st_mtime == 0


@pytest.mark.parametrize(
    ("tokens", "left"),
    [(49_999, {KEY: 50_000, "other": 1}), (50_000, {KEY: 50_000, "other": 1}), (50_001, {"other": 1})],
)
def test_going_past_a_place_without_a_compaction_refutes_it(scene: Scene, tokens: int, left: dict[str, int]) -> None:
    known = Learned(compactions={KEY: 50_000, "other": 1})
    learned.write(str(scene.root), known)
    scene.transcript.answer(tokens)
    assert learnt(scene, None, known=known).compactions == left
