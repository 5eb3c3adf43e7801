import os
import subprocess
import time
from pathlib import Path
from subprocess import PIPE

import pytest

from shared import paths, pruning
from tests import scratch
from tests.monitor.scene import CRITICAL, NORMAL, WARNING, Scene


def test_only_numbers_and_ids_are_kept(scene: Scene) -> None:
    words = "the words of the conversation"
    scene.transcript.prompt(words)
    scene.transcript.answer(CRITICAL, tool_use_ids=["toolu_1"], text=words)
    scene.told(tool_response={"stdout": words}, tool_input={"command": words})
    scene.turn(NORMAL)
    for path in scene.root.parents[1].rglob("*"):
        if path.is_file() and not path.is_relative_to(scene.transcript.path.parent) and "environment" not in path.parts:
            assert words.encode() not in path.read_bytes()


@pytest.mark.skipif(os.name == "nt", reason="modes of POSIX")
def test_what_is_kept_is_private(scene: Scene) -> None:
    for tokens in (NORMAL, WARNING):
        scene.turn(tokens)
    scene.transcript.boundary()
    scene.turn(NORMAL)
    found = [*(scene.root / "run").iterdir(), scene.root / "learned.json"]
    assert len(found) >= 2
    assert {path.stat().st_mode & 0o777 for path in found} == {0o600}
    assert (scene.root / "run").stat().st_mode & 0o777 == 0o700


def test_state_of_old_sessions_is_pruned(scene: Scene) -> None:
    run = scene.root / "run"
    run.mkdir()
    for name in ("gate-old", "memory-old.json", "claude-ctx-old.json"):
        (run / name).touch()
        os.utime(run / name, (time.time() - pruning.KEPT_SECONDS - 60,) * 2)
    scene.turn(NORMAL)
    assert not list(run.glob("*old*"))


def test_a_silent_conversation_leaves_a_gate_and_a_told_one_none(scene: Scene) -> None:
    gate = Path(paths.gate(str(scene.root), scene.session_id))
    for tokens in (NORMAL - 3, NORMAL - 2, NORMAL - 1, NORMAL):
        assert not gate.exists()
        scene.turn(tokens)
    assert gate.exists()
    scene.turn(WARNING)
    assert not gate.exists()


def test_where_it_cannot_be_noted_as_told_a_message_comes_each_time(scene: Scene) -> None:
    Path(paths.memory(str(scene.root), scene.session_id)).mkdir(parents=True)
    assert scene.turns(CRITICAL, 2) == ["CRITICAL", "CRITICAL"]
    assert scratch.log(scene.root)


def test_no_due_message_is_lost_when_many_run_at_once(scene: Scene) -> None:
    """Issue 11, 9: each of an answer of its own, at a level that is told with every second tool use."""
    names = [f"toolu_{number:02}" for number in range(60)]
    for name in [*names, *(f"newer_{number}" for number in range(9))]:
        scene.transcript.answer(CRITICAL, id=f"msg_{name}", tool_use_ids=[name])
    payload = scene.root / "payload"
    running = []
    for name in names:
        payload.write_bytes(scene.stdin(name))
        with payload.open("rb") as stdin:  # at once: one that waits for its stdin gives up
            environment = scratch.environment(scene.root)
            running.append(subprocess.Popen(scratch.command(scene.root), stdin=stdin, stdout=PIPE, env=environment))
        payload.unlink()
    told = [process.communicate(timeout=60)[0] for process in running]
    assert sum(b"CONTEXT WINDOW CRITICAL" in each for each in told) == 30
    assert scratch.log(scene.root) == []
