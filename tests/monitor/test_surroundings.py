"""The monitor's process in odd surroundings: other hooks, poor environments, a client that has exited."""

import json
import os
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from shared import paths
from tests import scratch
from tests.monitor.scene import EXHAUSTED, NORMAL, WARNING, Scene, level_reported

POSIX = pytest.mark.skipif(os.name == "nt", reason="descriptors, pipes and modes of POSIX")


def test_the_answer_has_exactly_the_clients_form(scene: Scene) -> None:
    scene.transcript.answer(WARNING)
    answer = json.loads(scratch.run(scene.root, scene.stdin()).stdout)
    assert list(answer) == ["hookSpecificOutput"]
    assert list(answer["hookSpecificOutput"]) == ["hookEventName", "additionalContext"]
    assert answer["hookSpecificOutput"]["hookEventName"] == "PostToolUse"


def test_a_failed_tool_is_answered_under_its_own_event(scene: Scene) -> None:
    scene.transcript.answer(WARNING)
    result = scratch.run(scene.root, scene.stdin(event="PostToolUseFailure", error="Exit code 3", tool_response=...))
    assert json.loads(result.stdout)["hookSpecificOutput"]["hookEventName"] == "PostToolUseFailure"
    assert level_reported(result) == "WARNING"


def test_a_parallel_batch_gives_exactly_one_message(scene: Scene) -> None:
    """Real, simultaneous processes, as the client starts them for one answer with several tools."""
    for round_ in range(2):
        names = [f"toolu_{round_}_{number}" for number in range(5)]
        scene.transcript.answer(EXHAUSTED, id=f"msg_{round_}", tool_use_ids=names)
        processes = [
            subprocess.Popen(
                scratch.command(scene.root),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=scratch.environment(scene.root),
            )
            for _ in names
        ]
        answers = []
        for process, name in zip(processes, names, strict=True):
            assert process.stdin is not None
            process.stdin.write(scene.stdin(name))
            process.stdin.close()
        for process in processes:
            assert process.stdout is not None
            answers.append(process.stdout.read())
            process.stdout.close()
            assert process.wait(10) == 0
        assert len([answer for answer in answers if answer]) == 1
    assert scratch.log(scene.root) == []


def test_a_batch_with_a_late_answer_gives_exactly_one_message(scene: Scene) -> None:
    for attempt in range(5):
        if attempt:
            scene.transcript.boundary()
        scene.transcript.answer(WARNING - 5_000, id=f"msg_{attempt}")
        names = [f"toolu_{attempt}_{number}" for number in range(4)]
        answers: list[str] = []

        def hook(name: str, answers: list[str] = answers) -> None:
            answers.append(level_reported(scratch.run(scene.root, scene.stdin(name))))

        hooks = [threading.Thread(target=hook, args=(name,)) for name in names]
        start = time.monotonic()
        for thread in hooks:
            thread.start()
        time.sleep(0.05)
        scene.transcript.answer(WARNING, id=f"msg_late_{attempt}", tool_use_ids=names)
        is_within_wait = time.monotonic() - start < 0.1  # else a busy machine has held this process up
        for thread in hooks:
            thread.join()
        if is_within_wait:
            break
    assert sorted(answers) == ["", "", "", "WARNING"]


def test_a_crossing_written_late_is_reported_at_its_own_result(scene: Scene) -> None:
    scene.transcript.answer(WARNING - 5_000)
    with subprocess.Popen(
        scratch.command(scene.root),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=scratch.environment(scene.root),
    ) as process:
        time.sleep(0.1)  # it stands and waits for its stdin
        assert process.stdin is not None
        process.stdin.write(scene.stdin("toolu_late"))
        process.stdin.close()
        time.sleep(0.05)
        scene.transcript.answer(WARNING, tool_use_ids=["toolu_late"])
        assert process.stdout is not None
        assert b"WARNING" in process.stdout.read()


def test_a_projects_modules_are_not_imported(scene: Scene, tmp_path: Path) -> None:
    project = tmp_path / "project"
    for name in ("shared", "monitor", "msgspec", "time", "select"):
        (project / name).mkdir(parents=True)
        (project / name / "__init__.py").write_text("print('shadowed')")
    scene.transcript.answer(WARNING)
    result = subprocess.run(
        scratch.command(scene.root),
        input=scene.stdin(),
        capture_output=True,
        cwd=project,
        env=scratch.environment(scene.root) | {"PYTHONPATH": str(project), "PYTHONSTARTUP": str(project)},
        timeout=10,
        check=False,
    )
    assert level_reported(result) == "WARNING"


@pytest.mark.parametrize("missing", ["HOME", "PATH", "directories.json"])
def test_a_poor_environment_is_enough(scene: Scene, missing: str) -> None:
    scene.transcript.answer(WARNING)
    environ = scratch.environment(scene.root)
    environ.pop(missing, None)
    (scene.root / missing).unlink(missing_ok=True)
    result = subprocess.run(
        scratch.command(scene.root), input=scene.stdin(), capture_output=True, env=environ, timeout=10, check=False
    )
    assert level_reported(result) == "WARNING"


def test_a_half_replaced_environment_is_silent(scene: Scene) -> None:
    scene.transcript.answer(WARNING)
    scratch.write_entry(scene.root, "monitor", "monitor.dispatch", [str(scene.root)])
    assert level_reported(scratch.run(scene.root, scene.stdin())) == ""


def test_a_missing_module_is_silent_and_logged(scene: Scene) -> None:
    scratch.write_entry(scene.root, "monitor", "monitor.nothing", [str(scratch.REPOSITORY)])
    assert level_reported(scratch.run(scene.root, scene.stdin())) == ""


@pytest.mark.parametrize("tokens", [NORMAL, WARNING])
def test_a_root_in_which_nothing_can_be_written_is_no_error(scene: Scene, tokens: int) -> None:
    (scene.root / "run").write_text("no directory")
    scene.transcript.answer(tokens)
    result = scratch.run(scene.root, scene.stdin())
    assert (result.returncode, result.stderr) == (0, b"")


@POSIX
@pytest.mark.skipif(os.name != "nt" and os.geteuid() == 0, reason="nothing is read-only for root")
def test_a_read_only_home_is_no_error(scene: Scene) -> None:
    scene.transcript.answer(WARNING)
    scene.root.chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        result = scratch.run(scene.root, scene.stdin())
    finally:
        scene.root.chmod(stat.S_IRWXU)
    assert (result.returncode, result.stderr) == (0, b"")


@POSIX
def test_a_client_that_has_exited_is_no_error(scene: Scene) -> None:
    scene.transcript.answer(WARNING)
    reading, writing = os.pipe()
    os.close(reading)
    result = subprocess.run(
        scratch.command(scene.root),
        input=scene.stdin(),
        stdout=writing,
        stderr=subprocess.PIPE,
        env=scratch.environment(scene.root),
        timeout=10,
        check=False,
    )
    os.close(writing)
    assert (result.returncode, result.stderr) == (0, b"")


def test_a_memory_locked_forever_is_given_up(scene: Scene) -> None:
    holder = (
        "import fcntl, os, sys, time\n"
        "os.makedirs(os.path.dirname(sys.argv[1]), exist_ok=True)\n"
        "file = open(sys.argv[1], 'w'); fcntl.flock(file, fcntl.LOCK_EX); print('held', flush=True); time.sleep(60)"
    )
    memory = paths.memory(str(scene.root), scene.session_id)
    scene.transcript.answer(EXHAUSTED)
    with subprocess.Popen([sys.executable, "-c", holder, memory], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"held\n"
        assert level_reported(scratch.run(scene.root, scene.stdin())) == ""
        process.kill()
    assert len(scratch.log(scene.root)) == 1
    assert level_reported(scratch.run(scene.root, scene.stdin())) == "EXHAUSTED"
