"""The launcher for writing tools: quick to exit, without losing anything that matters."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests import scratch
from tests.monitor.workshop import Workshop

pytestmark = pytest.mark.skipif(os.name == "nt", reason="on Windows the interpreter is named directly")


@pytest.fixture
def stale(workshop: Workshop) -> Path:
    """A file with state older than the newest checkpoint."""
    workshop.compact()
    path = workshop.project / "ORCHESTRATION.yaml"
    path.write_text("updated_at: 2020-01-01T00:00:00Z\n")
    return path


def installed(workshop: Workshop) -> Path:
    scratch.install_launchers(workshop.root)
    return workshop.root / "bin" / "monitor-writes"


def stdout_of(workshop: Workshop, tool_input: dict[str, str], **fields: str) -> bytes:
    payload = workshop.payload("PostToolUse", tool_name="Write", tool_input=tool_input, **fields)
    event = workshop.root / "event"
    event.write_bytes(json.dumps(payload, separators=(",", ":")).encode())  # all of it is there when the launcher looks
    with event.open("rb") as stdin:
        result = subprocess.run(
            [installed(workshop)],
            stdin=stdin,
            capture_output=True,
            env=scratch.environment(workshop.root),
            check=True,
            timeout=30,
        )
    assert result.stderr == b""
    return result.stdout


@pytest.mark.parametrize("size", [1, 3_000, 4_000, 100_000])
@pytest.mark.parametrize("is_last", [False, True])
def test_a_file_that_matters_reaches_the_monitor(workshop: Workshop, stale: Path, size: int, is_last: bool) -> None:
    contents = {"content": '"file_path":"other.py" ' + "x" * size}
    path = {"file_path": str(stale)}
    assert b"stale" in stdout_of(workshop, contents | path if is_last else path | contents)


def test_a_path_beyond_the_head_reaches_the_monitor(workshop: Workshop, stale: Path) -> None:
    assert b"stale" in stdout_of(workshop, {"file_path": str(stale)}, permission_mode="x" * 4_000)


@pytest.mark.parametrize("name", ["file_path", "notebook_path"])
def test_other_files_are_ignored_by_this_launcher(workshop: Workshop, stale: Path, name: str) -> None:
    (workshop.root / "bin" / "monitor.py").write_text("raise SystemExit('started')")
    assert stdout_of(workshop, {name: str(stale.parent / "app.py"), "content": "x" * 100_000}) == b""


@pytest.mark.parametrize("is_empty", [True, False])
def test_an_open_stdin_does_not_block(workshop: Workshop, *, is_empty: bool) -> None:
    launcher = installed(workshop)
    (workshop.root / "bin" / "monitor.py").write_text("print('started')")
    reader, writer = os.pipe()
    with os.fdopen(reader, "rb") as stdin, os.fdopen(writer, "wb", buffering=0) as kept_open:
        kept_open.write(b"" if is_empty else b'{"tool_input":{"file_path":"/p/app.py"')
        result = subprocess.run(
            [launcher], stdin=stdin, env=scratch.environment(workshop.root), capture_output=True, check=True, timeout=9
        )
    assert result.stdout == (b"started\n" if is_empty else b"")


@pytest.mark.parametrize("most", [11, 12, 16, 32])
@pytest.mark.parametrize("name", ["monitor", "monitor-stop", "monitor-writes", "monitor-event"])
def test_with_few_descriptors_it_never_blocks(workshop: Workshop, name: str, most: int) -> None:
    """Exit 2 means "block" to the client. With fewer than 11 dash itself can't open a script."""
    import resource  # noqa: PLC0415  Windows has none

    installed(workshop)
    (workshop.root / "run").mkdir(exist_ok=True)
    (workshop.root / "run" / "gate-session-1").write_text("0\n" * 15)
    script = workshop.root / "bin" / name
    result = subprocess.run(
        ["sh", script],
        input=json.dumps(workshop.payload("PostToolUse", tool_name="Write", tool_input={})).encode(),
        capture_output=True,
        env=scratch.environment(workshop.root) | {"CLAUDE_CODE_SESSION_ID": "session-1"},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (most, most)),
        check=False,
        timeout=30,
    )
    assert result.returncode != 2


@pytest.mark.parametrize("name", ["monitor", "monitor-stop", "monitor-writes", "monitor-event"])
def test_the_event_is_read_from_stdin_whatever_the_environment(workshop: Workshop, name: str) -> None:
    """A project's settings may set any variable."""
    installed(workshop)
    (workshop.root / "environment").rename(workshop.root / "linked environment")
    interpreter = workshop.root / "environment" / "bin" / "python"
    interpreter.parent.mkdir(parents=True)
    # GNU's dd has left stdin non-blocking: cat fails where its end has not come yet.
    interpreter.write_text('#!/bin/sh\nprintf "%s" "$_TIDEGAUGE_STDIN_HEAD"\nuntil cat; do :; done\n')
    interpreter.chmod(0o755)
    event = json.dumps(workshop.payload("PostToolUse", tool_name="Write", tool_input={})).encode()
    environment = scratch.environment(workshop.root) | {"_TIDEGAUGE_STDIN_HEAD": '{"hook_event_name":"Stop"}'}
    script = workshop.root / "bin" / name
    command = ["sh", str(script)]
    result = subprocess.run(command, input=event, capture_output=True, env=environment, check=True, timeout=30)
    assert result.stdout == event


@pytest.mark.parametrize("name", ["monitor", "monitor-stop", "monitor-writes", "monitor-event", "statusline"])
@pytest.mark.parametrize("variable", ["PYTHONEXECUTABLE", "__PYVENV_LAUNCHER__"])
def test_no_variable_decides_which_python_we_are(workshop: Workshop, name: str, variable: str) -> None:
    """Detached processes (export, sync) are started with sys.executable, which both variables set despite -I."""
    installed(workshop)
    entry = "statusline" if name == "statusline" else "monitor"
    (workshop.root / "bin" / f"{entry}.py").write_text("import sys\nprint(sys.executable)\n")
    event = json.dumps(workshop.payload("PostToolUse", tool_name="Write", tool_input={})).encode()
    environment = scratch.environment(workshop.root) | {variable: "/elsewhere/bin/python"}
    command = ["sh", str(workshop.root / "bin" / name)]
    result = subprocess.run(command, input=event, capture_output=True, env=environment, check=True, timeout=30)
    assert result.stdout.strip().endswith(b"/environment/bin/python")
