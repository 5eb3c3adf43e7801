"""The process as the client starts it: always exit code 0 and no traceback."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests import scratch
from tests.statusline.running import wait_for_end
from tests.statusline.scene import NAMES, captured

DEEP = b'{"a":' + b"[" * 30_000 + b"}"
PLAIN = {"NO_COLOR": "1", "COLUMNS": "120"}


def output_of(root: Path, stdin: bytes, **environ: str) -> str:
    result = scratch.run(root, stdin, PLAIN | environ, "statusline")
    assert (result.returncode, result.stderr) == (0, b"")
    return result.stdout.decode()


def started(root: Path, stdout: int = subprocess.PIPE) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        scratch.command(root, "statusline"),
        env=scratch.environment(root) | PLAIN,
        stdin=subprocess.PIPE,
        stdout=stdout,
        stderr=subprocess.PIPE,
    )


@pytest.mark.parametrize("name", NAMES)
def test_captured_payloads_give_a_line(name: str, root: Path) -> None:
    assert output_of(root, captured(name)).startswith("Opus 4.6")
    assert scratch.log(root) == []


@pytest.mark.parametrize("stdin", [b"", b"{", b"garbage", b"[]", b"\xff" * 100, b"[" * 100_000])
def test_garbage_gives_a_minimal_line(stdin: bytes, root: Path) -> None:
    assert output_of(root, stdin) == "Claude · context ?\n"
    assert scratch.log(root) == []


@pytest.mark.parametrize(
    "sent", [captured("warning"), captured("warning")[:200], b"", DEEP], ids=["whole", "half", "empty", "deep"]
)
def test_an_unclosed_stdin_does_not_block(sent: bytes, root: Path) -> None:
    with started(root) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(sent)
        process.stdin.flush()
        assert process.wait(9) == 0
        assert process.stdout.read().startswith(b"Opus 4.6" if sent == captured("warning") else b"Claude")


def test_a_closed_stdout_is_no_failure(root: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    with started(root, stdout=write) as process:
        os.close(write)
        _, errors = process.communicate(captured("warning"), 10)

    assert (process.returncode, errors) == (0, b"")
    assert scratch.log(root) == []
    assert not (root / "run" / "failed-statusline").exists()


@pytest.mark.parametrize("descriptors", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_descriptors_are_no_failure(descriptors: str, root: Path) -> None:
    command = ["sh", "-c", f'exec "$@" {descriptors}', "sh", *scratch.command(root, "statusline")]
    result = subprocess.run(
        command, input=captured("warning"), env=scratch.environment(root), capture_output=True, check=False, timeout=10
    )

    assert (result.returncode, result.stderr) == (0, b"")


def test_an_unwritable_home_costs_only_the_bridge(root: Path) -> None:
    for place in (root / "run", root.parents[1] / "log"):  # not by its mode, which root would pass over
        place.write_text("a file where a directory should be")

    assert output_of(root, captured("warning")).startswith("Opus 4.6 high · shop · ██████░░░░ 67% WARNING 134k/200k")


@pytest.mark.parametrize("home", [None, "", "/nowhere"])
def test_a_missing_home_is_no_failure(home: str | None, root: Path) -> None:
    environ = {name: value for name, value in (scratch.environment(root) | PLAIN).items() if name != "HOME"}
    (root / "directories.json").unlink()
    result = subprocess.run(
        scratch.command(root, "statusline"),
        input=captured("warning"),
        env=environ | ({} if home is None else {"HOME": home}),
        capture_output=True,
        check=False,
    )

    assert (result.returncode, result.stderr) == (0, b"")
    assert b"67% WARNING" in result.stdout


def test_ending_it_at_any_time_leaves_only_whole_files(root: Path) -> None:
    for milliseconds in range(10, 60, 5):
        with started(root) as process:
            assert process.stdin
            process.stdin.write(captured("warning"))
            process.stdin.close()
            time.sleep(milliseconds / 1000)
            process.send_signal(signal.SIGTERM)
    output_of(root, captured("warning"))

    bridges = list((root / "run").glob("claude-ctx-*"))
    assert [path.suffix for path in bridges] == [".json"]
    assert bridges[0].read_bytes().endswith(b"}")


def test_a_broken_installation_is_silent(root: Path, tmp_path: Path) -> None:
    scratch.write_entry(root, "statusline", "statusline.line", [str(tmp_path)])
    assert output_of(root, captured("warning")) == ""

    scratch.write_entry(root, "statusline", "statusline.gone", [str(scratch.REPOSITORY), *sys.path])
    assert output_of(root, captured("warning")) == ""


def test_a_projects_modules_are_not_imported(root: Path, tmp_path: Path) -> None:
    for name in ("shared", "statusline", "msgspec", "json"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise SystemExit('hijacked')")
    result = subprocess.run(
        scratch.command(root, "statusline"),
        input=captured("warning"),
        env=scratch.environment(root) | PLAIN | {"PYTHONPATH": str(tmp_path)},
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )

    assert b"67% WARNING" in result.stdout


def test_ending_it_ends_the_wrapped_line_too(root: Path, tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    command = f"sleep 60 & echo $! >{pid}.new; mv {pid}.new {pid}; wait"
    (root / "wrapped.json").write_text(json.dumps({"type": "command", "command": command}))
    with started(root) as process:
        assert process.stdin
        process.stdin.close()
        while not pid.exists():
            time.sleep(0.01)
        process.terminate()

    wait_for_end(int(pid.read_text()))
