import os
import subprocess
from pathlib import Path
from subprocess import PIPE

import pytest

from monitor.memory import memory as memories
from shared import paths
from tests import scratch
from tests.monitor.scene import CRITICAL, NORMAL, WARNING, Scene

AT_THE_LIMIT = 172_000
"""Tokens at EXHAUSTED where automatic compaction is off and the session ends at 177,000."""


def test_only_numbers_and_ids_are_kept(scene: Scene) -> None:
    words = "the words of the conversation"
    scene.transcript.prompt(words)
    scene.transcript.answer(CRITICAL, tool_use_ids=["toolu_1"], text=words)
    scene.message(tool_response={"stdout": words}, tool_input={"command": words})
    scene.turn(NORMAL)
    for path in scene.root.parents[1].rglob("*"):
        if path.is_file() and not path.is_relative_to(scene.transcript.path.parent) and "environment" not in path.parts:
            assert words.encode() not in path.read_bytes()


@pytest.mark.skipif(os.name == "nt", reason="modes of POSIX")
@pytest.mark.parametrize("umask", [0o000, 0o022, 0o777])
def test_stored_files_are_private_and_stay_readable_to_us(scene: Scene, umask: int) -> None:
    scene.transcript.answer(NORMAL, tool_use_ids=["toolu_1"])
    scene.transcript.boundary()
    for tokens in (NORMAL, WARNING):
        scene.transcript.answer(tokens, tool_use_ids=["toolu_1"])
        subprocess.run(
            scratch.command(scene.root),
            input=scene.stdin(),
            env=scratch.environment(scene.root),
            umask=umask,
            check=True,
        )
    state_files = [*(scene.root / "run").iterdir(), scene.root / "learned.json"]
    assert len(state_files) >= 2
    assert {path.stat().st_mode & 0o777 for path in state_files} == {0o600}
    assert (scene.root / "run").stat().st_mode & 0o777 == 0o700


def test_a_gate_exists_from_the_first_tool_use_until_a_message_may_be_due(scene: Scene) -> None:
    gate = Path(paths.gate(str(scene.root), scene.session_id))
    assert not gate.exists()
    scene.turn(NORMAL)
    assert gate.read_text().splitlines()[10] == "-"
    scene.turn(WARNING)
    assert gate.read_text().splitlines()[10] == "4"
    scene.turns(WARNING, 4)
    assert not gate.exists()


def test_a_message_that_cannot_be_recorded_comes_each_time(scene: Scene) -> None:
    Path(paths.memory(str(scene.root), scene.session_id)).mkdir(parents=True)
    assert scene.turns(CRITICAL, 2) == ["CRITICAL", "CRITICAL"]
    assert scratch.log(scene.root)


@pytest.mark.parametrize(("notes", "uses"), [("", 1), ("70\n70\n", 1), ("70\n70\n-\n", 2)])
def test_a_parallel_call_counts_itself_and_the_silent_calls(scene: Scene, notes: str, uses: int) -> None:
    root, name = str(scene.root), scene.session_id
    scene.transcript.answer(WARNING, id="msg_1", tool_use_ids=["toolu_1", "toolu_2"])
    assert scene.message("toolu_1")
    Path(paths.gate_notes(root, name)).write_text(notes)
    assert scene.message("toolu_2") == ""
    memory = memories.read(root, name)
    assert memory is not None
    assert memory.level.uses == uses


def test_no_due_message_is_lost_among_many_simultaneous_hooks(scene: Scene) -> None:
    """Each belongs to a different answer, at a level with a message at every second tool use to the end."""
    scene.configure("levels.exhausted.every = 2")
    names = [f"toolu_{number:02}" for number in range(40)]
    for name in [*names, *(f"newer_{number}" for number in range(9))]:
        scene.transcript.answer(AT_THE_LIMIT, id=f"msg_{name}", tool_use_ids=[name])
    payload = scene.root / "payload"
    running = []
    for name in names:
        payload.write_bytes(scene.stdin(name))
        with payload.open("rb") as stdin:  # at once: one that waits for its stdin gives up
            environment = scratch.environment(scene.root) | {"DISABLE_AUTO_COMPACT": "1"}
            running.append(subprocess.Popen(scratch.command(scene.root), stdin=stdin, stdout=PIPE, env=environment))
        payload.unlink()
    outputs = [process.communicate(timeout=60)[0] for process in running]
    assert sum(b"CONTEXT WINDOW EXHAUSTED" in each for each in outputs) == 20
    assert scratch.log(scene.root) == []
