import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from monitor.checkpoints import client_process
from monitor.checkpoints.checkpoint import ClientProcess
from monitor.session import Session
from shared import paths
from shared.client.client_settings import read_run
from shared.settings.config import Config


def test_a_newer_client_names_itself() -> None:
    result = client_process.own({"CLAUDE_PID": str(os.getpid())})
    assert result == ClientProcess(os.getpid(), psutil.Process().create_time())


@pytest.mark.skipif(sys.platform == "win32", reason="no sh between the client and its hooks there")
def test_an_older_client_is_found_above_the_shell() -> None:
    program = "from monitor.checkpoints import client_process; print(client_process.own({}).pid)"
    result = subprocess.run(
        ["sh", "-c", f'"{sys.executable}" -c "{program}"; true'], capture_output=True, text=True, check=True
    )
    assert int(result.stdout) == os.getpid()


@pytest.mark.parametrize("number", ["4194299", "99999999999999999999", "0x5", "-1"])
def test_a_missing_process_is_unknown(number: str) -> None:
    result = client_process.own({"CLAUDE_PID": number})
    assert result is None or result.pid != int(number, 0)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can start another's process")
@pytest.mark.parametrize(("user", "model"), [(None, "opus"), (65534, "")])
def test_the_command_line_of_another_persons_process_is_not_read(tmp_path: Path, user: int | None, model: str) -> None:
    """The project's settings may set the process id, and that process's command line may be of any size."""
    command = ["sh", "-c", "echo started; read line", "--model", "opus"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, user=user) as process:
        try:
            assert process.stdout is not None
            process.stdout.readline()  # a program that has only just replaced another has no command line yet
            environ = {"CLAUDE_PID": str(process.pid), "CLAUDE_CODE_ENTRYPOINT": "sdk-cli"}
            client_process.begin_run(Session(str(tmp_path), Config(), environ, 0.0), "s")
        finally:
            process.kill()
    assert read_run(paths.session_run(str(tmp_path), "s")).model == model


def test_a_reused_process_id_is_not_alive() -> None:
    mine = ClientProcess(os.getpid(), psutil.Process().create_time())
    assert client_process.is_alive(mine)
    assert not client_process.is_alive(ClientProcess(mine.pid, mine.started - 60))
    assert not client_process.is_alive(ClientProcess(2**22 - 5, mine.started))
    assert not client_process.is_alive(ClientProcess(-1, mine.started))
    assert not client_process.is_alive(ClientProcess(10**30, mine.started))


@pytest.mark.skipif(sys.platform == "win32", reason="no sleep there")
def test_running_clients_are_found_with_their_directories(tmp_path: Path) -> None:
    client = tmp_path / "claude"
    shutil.copy(str(shutil.which("sleep")), client)
    with subprocess.Popen([client, "60"], cwd=tmp_path) as process:
        try:
            running = client_process.running(str(tmp_path))
            (running_client,) = [client for client in running if client.pid == process.pid]
        finally:
            process.kill()
    assert (running_client.directory, running_client.arguments) == (os.path.realpath(tmp_path), (str(client), "60"))
    assert os.getpid() not in [client.pid for client in running]
    assert process.pid not in [client.pid for client in client_process.running(str(tmp_path))]


def write_record(directory: Path, **fields: object) -> None:
    path = directory / "sessions" / f"{os.getpid()}.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({"pid": os.getpid(), "status": "idle"} | fields))


def test_a_client_is_in_the_session_that_it_records(tmp_path: Path) -> None:
    mine, directory = ClientProcess(os.getpid(), psutil.Process().create_time()), str(tmp_path)
    assert client_process.is_open("a", mine, directory)  # an older client keeps none
    assert not client_process.is_open("a", None, directory)

    write_record(tmp_path, sessionId="a", startedAt=(mine.started + 1) * 1000)

    assert client_process.record_of(mine, directory).status == "idle"
    assert client_process.is_open("a", mine, directory)
    assert not client_process.is_open("b", mine, directory)
    gone = ClientProcess(mine.pid, mine.started - 60)
    assert [client_process.is_open(name, gone, directory) for name in "ab"] == [True, False]  # resumed in another
    assert not client_process.is_open("a", gone, directory, mine)


@pytest.mark.parametrize(
    "fields", [{"startedAt": 1e12}, {}, {"startedAt": "now"}], ids=["earlier", "none", "no number"]
)
def test_a_record_of_an_earlier_process_is_ignored(tmp_path: Path, fields: dict[str, object]) -> None:
    mine = ClientProcess(os.getpid(), psutil.Process().create_time())
    write_record(tmp_path, sessionId="a", **fields)

    assert client_process.record_of(mine, str(tmp_path)).sessionId == ""
