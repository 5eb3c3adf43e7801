"""Many processes at once: each message comes exactly once, whatever changes meanwhile."""

import subprocess
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path

from shared import paths
from tests import scratch
from tests.effort import times
from tests.monitor.scene import EXHAUSTED, WARNING, Scene, level_reported
from tests.transcripts import Transcript

Count = Callable[[], None]
# These tests check that each message comes once, however long a busy machine takes for that many processes.
CROWD_SECONDS = 300


def all_at_once(root: Path, events: list[bytes]) -> list[subprocess.CompletedProcess[bytes]]:
    """The answers to `events`, each from a process of its own."""
    with ThreadPoolExecutor(len(events)) as threads:
        return list(threads.map(lambda event: scratch.run(root, event, timeout=CROWD_SECONDS), events))


@contextmanager
def meanwhile(*steps: Callable[[], None]) -> Iterator[None]:
    """Have `steps` done over and over while the body runs."""
    is_over = threading.Event()

    def repeat() -> None:
        for step in cycle(steps):
            step()
            if is_over.wait(0.005):
                return

    thread = threading.Thread(target=repeat)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()


def session(root: Path, home: Path, number: int, tokens: int) -> Scene:
    """A separate session whose newest answer is at `tokens` tokens."""
    scene = Scene(root, Transcript(home / "projects" / f"session-{number}.jsonl"))
    scene.session_id = f"session-{number}"
    scene.transcript.answer(tokens)
    return scene


def test_simultaneous_hooks_on_one_answer_give_one_message(scene: Scene, tried: Count) -> None:
    crowd = times(40, 200)
    for number in range(times(1, 5)):
        names = [f"toolu_{number}_{tool}" for tool in range(crowd)]
        scene.transcript.answer(EXHAUSTED, id=f"msg_{number}", tool_use_ids=names)
        answers = all_at_once(scene.root, [scene.stdin(name) for name in names])
        assert sorted(map(level_reported, answers)) == [""] * (crowd - 1) + ["EXHAUSTED"]
        for _ in answers:
            tried()
    assert scratch.log(scene.root) == []


def test_each_of_many_sessions_gets_its_message_while_settings_change_and_files_are_pruned(
    root: Path, tmp_path: Path, tried: Count
) -> None:
    configuration = Path(paths.config_file(str(root)))
    configuration.parent.mkdir()
    run = Path(paths.run_directory(str(root)))

    def prune() -> None:
        for path in list(run.glob("[!.]*")) if run.exists() else []:  # real pruning spares what is being written, too
            path.unlink(missing_ok=True)

    def configure() -> None:
        configuration.write_text(next(texts))

    texts = cycle(["[hooks]\nforecast = true\n", "[hooks", "", "[levels.warning]\nthreshold = 66\n"])
    crowd = times(20, 50)
    for start in range(0, times(20, 500), crowd):
        scenes = [session(root, tmp_path, start + number, WARNING) for number in range(crowd)]
        with meanwhile(configure, prune):
            answers = all_at_once(root, [scene.stdin() for scene in scenes])
        assert [level_reported(answer) for answer in answers] == ["WARNING"] * crowd
        for _ in answers:
            tried()
    assert scratch.log(root) == []
