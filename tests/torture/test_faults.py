"""System failures: every process of ours still exits 0, keeps stderr empty, and leaves whole files."""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from monitor import dispatch
from tests import scratch
from tests.effort import times
from tests.monitor.scene import EXHAUSTED, NORMAL, WARNING, Scene, level_in, level_reported
from tests.torture.hostile import PAYLOADS
from tests.transcripts import Transcript

if sys.platform == "win32":
    pytest.skip("limits and users of POSIX", allow_module_level=True)

import resource

Count = Callable[[], None]
ANOTHER_USER = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
LINE = (PAYLOADS / "statusline" / "exhausted.json").read_bytes()


def limited(scene: Scene, name: str, stdin: bytes, limit: int, value: int) -> "subprocess.CompletedProcess[bytes]":
    """Run one process under a system limit."""
    return subprocess.run(
        scratch.command(scene.root, name),
        input=stdin,
        capture_output=True,
        env=scratch.environment(scene.root),
        preexec_fn=lambda: resource.setrlimit(limit, (value, value)),
        check=False,
        timeout=30,
    )


def whole(directory: Path) -> bool:
    """Whether every record in the folder can be read."""
    return all(json.loads(path.read_bytes() or b"{}") is not None for path in directory.rglob("*.json"))


def test_a_full_disk(scene: Scene, tried: Count) -> None:
    """No file may grow past a limit in bytes: what can't be written whole isn't written."""
    for size in range(0, 1_200, times(300, 10)):
        scene.transcript.answer(EXHAUSTED)
        for name, stdin in (("monitor", scene.stdin()), ("statusline", LINE)):
            result = limited(scene, name, stdin, resource.RLIMIT_FSIZE, size)
            tried()
            assert (result.returncode, result.stderr) == (0, b"")
            assert name == "monitor" or result.stdout
    assert level_in(scene.message("toolu_after")) in ("", "EXHAUSTED")


def test_no_descriptors_left(scene: Scene, tried: Count) -> None:
    """It begins at the fewest with which Python itself starts."""
    scene.transcript.answer(EXHAUSTED)
    for count in range(5, 5 + times(4, 40)):
        for name, stdin in (("monitor", scene.stdin()), ("statusline", LINE)):
            result = limited(scene, name, stdin, resource.RLIMIT_NOFILE, count)
            tried()
            assert (result.returncode, result.stderr) == (0, b"")


@pytest.mark.skipif(os.geteuid() != 0, reason="another user needs root")
def test_a_home_that_may_not_be_written(tried: Count) -> None:
    """It runs as a user who may only read there, because root may write anywhere."""
    with tempfile.TemporaryDirectory() as directory:
        os.chmod(directory, 0o755)  # noqa: S103  that is the point
        scene = Scene(scratch.install(Path(directory)), Transcript(Path(directory) / "transcript.jsonl"))
        scene.transcript.answer(WARNING)
        before = sorted(scene.root.rglob("*"))
        for number in range(times(2, 20)):
            for name, stdin in (("monitor", scene.stdin(f"toolu_{number}")), ("statusline", LINE)):
                result = subprocess.run(
                    [*ANOTHER_USER, *scratch.command(scene.root, name)],
                    input=stdin,
                    capture_output=True,
                    env=scratch.environment(scene.root),
                    check=False,
                    timeout=30,
                )
                tried()
                assert (result.returncode, result.stderr) == (0, b"")
                assert name == "monitor" or result.stdout
        assert sorted(scene.root.rglob("*")) == before


@pytest.mark.parametrize("home", [None, "", "/nowhere", "relative"])
def test_a_missing_home(scene: Scene, tried: Count, home: str | None) -> None:
    scene.transcript.answer(WARNING)
    environ = {name: value for name, value in scratch.environment(scene.root).items() if name != "HOME"}
    environ |= {} if home is None else {"HOME": home}
    result = subprocess.run(
        scratch.command(scene.root), input=scene.stdin(), capture_output=True, env=environ, check=False, timeout=30
    )
    tried()
    assert level_reported(result) == "WARNING"


@pytest.mark.parametrize("seconds", [-400 * 86_400, -3_600, -1, 3_600, 400 * 86_400])
def test_a_clock_that_is_set(scene: Scene, tried: Count, monkeypatch: pytest.MonkeyPatch, seconds: int) -> None:
    """A level reached after the clock was set is reported once."""
    scene.transcript.answer(NORMAL)
    assert scene.message() == ""
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + seconds)
    tried()
    assert scene.turn(EXHAUSTED, tools=3) == ["EXHAUSTED", "", ""]
    assert dispatch.main(b"", str(scene.root)).stdout == b""
    assert whole(scene.root / "run")
