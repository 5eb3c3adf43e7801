"""The client's command line takes precedence over its settings and over an earlier run's data."""

import time

import pytest

from shared.client.client_settings import ClientSettings, Run, write_run
from tests.monitor.measuring.measurement import remember_last_run, run_file, take_snapshot, try_snapshot
from tests.monitor.scene import EXHAUSTED, NORMAL, Scene
from tests.transcripts import OLD_CLIENT, Transcript

LONG, SHORT = "claude-opus-5", "claude-opus-4-6"


@pytest.fixture
def earlier_client(scene: Scene) -> Scene:
    """A session of a client that records neither its requests nor its model."""
    scene.transcript.path.unlink()
    scene.transcript = Transcript(scene.transcript.path, version=OLD_CLIENT)
    return scene


@pytest.mark.parametrize(
    ("started", "setting", "window", "source"),
    [
        (f"{SHORT}[1m]", "", 1_000_000, "env-1m-detection"),
        ("opus[1m]", "haiku", 1_000_000, "env-1m-detection"),
        (SHORT, "opus[1m]", 200_000, "catalogue"),
        ("opus", "opus[1m]", 200_000, "default"),  # an alias may stand for a model with [1m]
        (LONG, "", 200_000, "default"),  # another one answers by now
    ],
)
def test_the_clients_command_line_overrides_its_settings(
    earlier_client: Scene, started: str, setting: str, window: int, source: str
) -> None:
    scene = earlier_client
    (scene.root.parent / "settings.json").write_text(f'{{"model": "{setting}"}}')
    write_run(run_file(scene), Run(time.time() - 5, model=started))
    scene.transcript.answer(NORMAL, model=SHORT, at=time.time())
    reading = take_snapshot(scene).reading
    assert (reading.window, reading.window_source) == (window, source)


@pytest.mark.parametrize(("started", "before"), [(SHORT, f"{SHORT}[1m]"), (f"{SHORT}[1m]", SHORT)])
def test_the_command_line_overrides_an_earlier_runs_window(earlier_client: Scene, started: str, before: str) -> None:
    scene, sizes = earlier_client, {SHORT: 200_000, f"{SHORT}[1m]": 1_000_000}
    remember_last_run(scene, before, sizes[before])
    write_run(run_file(scene), Run(time.time() - 10, model=started))
    assert take_snapshot(scene).reading.window == sizes[started]  # before the first answer of the run
    scene.transcript.answer(NORMAL, model=SHORT, at=time.time())
    assert take_snapshot(scene).reading.window == sizes[started]


def test_a_run_that_begins_at_an_earlier_answer_is_measured_from_its_own_first_one(scene: Scene) -> None:
    scene.transcript.answer(EXHAUSTED, model=SHORT, at=time.time() - 60)
    write_run(run_file(scene), Run(time.time() - 5, is_rewound=True))
    assert try_snapshot(scene) is None
    scene.transcript.answer(NORMAL, model=SHORT, at=time.time())
    assert take_snapshot(scene).reading.tokens == NORMAL


def test_settings_on_the_command_line_override_the_files(scene: Scene) -> None:
    (scene.root.parent / "settings.json").write_text('{"autoCompactEnabled": false, "autoCompactWindow": 140000}')
    scene.transcript.answer(NORMAL, model=SHORT, at=time.time())
    limits = []
    for settings in (ClientSettings(), ClientSettings(autoCompactEnabled=True, autoCompactWindow=180_000)):
        write_run(run_file(scene), Run(settings=settings))
        limit = take_snapshot(scene).verdict.limit
        assert limit is not None
        limits.append((limit.tokens, limit.is_compacted))
    assert limits == [(177_000, False), (147_000, True)]


@pytest.mark.parametrize(
    ("named", "window"),
    [
        ("claude-sonnet-4-6[1m]", 1_000_000),
        ("sonnet[1m]", 1_000_000),
        ("claude-opus-5", 1_000_000),
        ("claude-haiku-4-5", 200_000),
        (SHORT, 200_000),
        ("opusplan", 200_000),
    ],
)
def test_before_a_headless_sessions_first_answer_its_command_line_names_its_model(
    scene: Scene, named: str, window: int
) -> None:
    """An ambiguous alias says nothing."""
    then = time.time() - 60
    scene.transcript.request(is_long=window == 200_000 and named != "opusplan", at=then)
    scene.transcript.answer(NORMAL, model=SHORT, at=then)
    write_run(run_file(scene), Run(started_at=time.time(), model=named))
    assert take_snapshot(scene).reading.window == window
