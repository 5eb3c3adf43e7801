import os

import pytest

from monitor.measuring import learning
from monitor.measuring.snapshot import Snapshot
from monitor.session import Conversation, Session
from shared.gauge.bridge import Bridge
from shared.gauge.levels import Level
from shared.gauge.limit import Learned, Limit, LimitCertainty, compaction_key, read_learned, window_key, write_learned
from shared.gauge.verdict import Verdict
from shared.gauge.window import Reading, WindowSource
from shared.settings.config import Config
from shared.transcript.tail import NO_TAIL, Tail, read_tail
from tests.monitor.scene import Scene
from tests.transcripts import NEW_CLIENT, OLD_CLIENT, Transcript

MODEL, WINDOW = "claude-opus-4-6", 200_000
KEY = compaction_key(MODEL, NEW_CLIENT, WINDOW, {})
OTHER = compaction_key("claude-sonnet-5", NEW_CLIENT, WINDOW, {})
WINDOW_KEY = window_key(MODEL, NEW_CLIENT, {})


def session_of(scene: Scene) -> Session:
    return Session(str(scene.root), Config(), {}, 0.0)


def tail_of(scene: Scene) -> Tail:
    return read_tail(str(scene.transcript.path)) or NO_TAIL


def bridge(size: int | None = 1_000_000, source: str | None = "bridge", model: str | None = MODEL) -> Bridge:
    return Bridge("s", 90, 10, 0, context_window_size=size, window_source=source, model_id=model)


def learn(
    scene: Scene,
    current_bridge: Bridge | None,
    size: int | None = WINDOW,
    learned: Learned | None = None,
    session: Session | None = None,
    *,
    source: WindowSource = WindowSource.REQUEST,
) -> Learned:
    """What the monitor learns from `current_bridge` and the transcript."""
    reading = Reading(90, None, size, "transcript", source, 0.0)
    conversation = Conversation(scene.session_id, str(scene.transcript.path))
    verdict = Verdict(reading, Level.NORMAL)
    snapshot = Snapshot(
        conversation, session or session_of(scene), verdict, tail_of(scene), current_bridge, learned or Learned()
    )
    learning.learn(snapshot)
    return read_learned(str(scene.root))


def test_a_bridge_teaches_its_models_window(scene: Scene) -> None:
    scene.transcript.answer(24_000)
    assert learn(scene, bridge()).windows == {WINDOW_KEY: 1_000_000}


def test_a_learnt_window_holds_under_its_bridges_conditions(scene: Scene) -> None:
    scene.transcript.answer(24_000)
    disabled = {"CLAUDE_CODE_DISABLE_1M_CONTEXT": "1"}
    session = Session(str(scene.root), Config(), disabled, 0.0)
    learned = learn(scene, bridge(200_000), session=session)
    assert learned.windows == {window_key(MODEL, NEW_CLIENT, disabled): 200_000}


def test_a_bridge_with_another_model_than_the_newest_answer_teaches_nothing(scene: Scene) -> None:
    """A resumed session may have its last run's bridge, whose client is unknown."""
    assert learn(scene, bridge()) == Learned()
    scene.transcript.answer(24_000, model="claude-opus-5")
    assert learn(scene, bridge()) == Learned()


@pytest.mark.parametrize(
    "result",
    [
        None,
        bridge(source="config"),
        bridge(source="tokens"),
        bridge(source=None),
        bridge(size=None),
        bridge(model=None),
    ],
)
def test_only_the_clients_own_figures_teach_a_window(scene: Scene, result: Bridge | None) -> None:
    assert learn(scene, result) == Learned()


def test_a_newer_size_replaces_an_older_one(scene: Scene) -> None:
    scene.transcript.answer(24_000)
    other = window_key("claude-sonnet-5", NEW_CLIENT, {})
    learned = Learned({WINDOW_KEY: 200_000, other: 5})
    assert learn(scene, bridge(), learned=learned).windows == {WINDOW_KEY: 1_000_000, other: 5}


def test_an_automatic_compaction_teaches_its_point(scene: Scene) -> None:
    scene.transcript.answer(166_000)
    scene.transcript.boundary(167_100)
    scene.transcript.answer(24_000)
    assert learn(scene, None).compactions == {KEY: 167_100}


@pytest.mark.parametrize(("before", "place"), [(168_000, 167_500), (167_000, 167_000)])
def test_the_smallest_compaction_point_is_kept(scene: Scene, before: int, place: int) -> None:
    learned = Learned(compactions={KEY: 167_500})
    write_learned(str(scene.root), learned)
    scene.transcript.answer(166_000)
    scene.transcript.boundary(before)
    scene.transcript.answer(24_000)
    assert learn(scene, None, learned=learned).compactions == {KEY: place}


def test_a_compaction_of_an_unknown_model_or_window_teaches_nothing(scene: Scene) -> None:
    scene.transcript.answer(166_000)
    scene.transcript.boundary(167_100)
    assert learn(scene, None) == Learned()
    scene.transcript.answer(24_000)
    assert learn(scene, None, size=None) == Learned()


@pytest.mark.parametrize(("before", "place"), [(200_000, None), (200_001, 200_001)])
def test_a_compaction_within_a_standard_window_teaches_nothing_of_a_larger_one(
    scene: Scene, before: int, place: int | None
) -> None:
    """A slash command's model may have had another window than the session, which older clients don't record."""
    key = compaction_key(MODEL, NEW_CLIENT, 1_000_000, {})
    scene.transcript.answer(before - 500)
    scene.transcript.boundary(before)
    scene.transcript.answer(24_000)
    assert learn(scene, None, 1_000_000).compactions == ({key: place} if place else {})


def test_an_older_clients_compaction_under_another_models_setting_teaches_nothing(scene: Scene) -> None:
    """With `opusplan` 2.1.197 compacts a window of a million at 169,000, which it doesn't do without it."""
    scene.transcript = Transcript(scene.transcript.path, version=OLD_CLIENT)
    scene.transcript.answer(168_500)
    scene.transcript.boundary(169_123)
    scene.transcript.answer(24_000)
    assert learn(scene, None, 1_000_000, source=WindowSource.BRIDGE).compactions == {}


def test_a_manual_compaction_teaches_nothing(scene: Scene) -> None:
    scene.transcript.answer(26_000)
    scene.transcript.boundary(27_053, trigger="manual")
    scene.transcript.answer(24_000)
    assert learn(scene, None) == Learned()


def test_a_compaction_long_after_the_last_answer_teaches_nothing(scene: Scene) -> None:
    """The client compacts an idle session at any fill, with the trigger `auto`."""
    scene.transcript.answer(240_000, at=1_767_225_600)
    scene.transcript.boundary(241_000, at=1_767_225_600 + 54 * 60)
    scene.transcript.answer(24_000)
    assert learn(scene, None) == Learned()


def test_known_facts_are_not_written_again(scene: Scene) -> None:
    scene.transcript.answer(24_000)
    learned = learn(scene, bridge())
    path = scene.root / "learned.json"
    os.utime(path, (0, 0))
    learn(scene, bridge(), learned=learned)
    assert path.stat().st_mtime == 0


@pytest.mark.parametrize(
    ("tokens", "expected"),
    [(49_999, {KEY: 50_000, OTHER: 1}), (50_000, {KEY: 50_000, OTHER: 1}), (50_001, {OTHER: 1})],
)
def test_passing_a_point_without_a_compaction_refutes_it(scene: Scene, tokens: int, expected: dict[str, int]) -> None:
    learned = Learned(compactions={KEY: 50_000, OTHER: 1})
    write_learned(str(scene.root), learned)
    scene.transcript.answer(tokens)
    assert learn(scene, None, learned=learned).compactions == learned.compactions  # it may be compacted yet
    scene.transcript.answer(tokens + 100)
    assert learn(scene, None, learned=learned).compactions == expected


@pytest.mark.parametrize("size", [WINDOW, None])
def test_incomparable_readings_refute_nothing(scene: Scene, size: int | None) -> None:
    """A transcript without an answer, or a window of unknown size."""
    learned = Learned(compactions={KEY: 50_000})
    write_learned(str(scene.root), learned)
    if size is None:
        scene.transcript.answer(60_000)
    assert learn(scene, None, size, learned) == learned


@pytest.mark.parametrize(("certainty", "point"), [("set", None), ("catalogue", 109_260), ("assumed", 109_260)])
def test_a_compaction_at_a_configured_point_teaches_nothing_about_the_default(
    scene: Scene, certainty: LimitCertainty, point: int | None
) -> None:
    """A project's settings may set it; the next project has others."""
    scene.transcript.answer(109_000)
    scene.transcript.boundary(109_260)
    scene.transcript.answer(24_000)
    reading = Reading(90, None, WINDOW, "transcript", WindowSource.REQUEST, 0.0)
    verdict = Verdict(reading, Level.NORMAL, Limit(109_260, certainty, is_compacted=True))
    conversation = Conversation(scene.session_id, str(scene.transcript.path))
    learning.learn(Snapshot(conversation, session_of(scene), verdict, tail_of(scene), None, Learned()))
    assert read_learned(str(scene.root)).compactions == ({KEY: point} if point else {})
