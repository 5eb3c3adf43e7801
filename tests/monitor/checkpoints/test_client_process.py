import os
import subprocess
import sys

import psutil
import pytest

from monitor.checkpoints import client_process
from monitor.checkpoints.checkpoint import Client


def test_a_newer_client_names_itself() -> None:
    found = client_process.own({"CLAUDE_PID": str(os.getpid())})
    assert found == Client(os.getpid(), psutil.Process().create_time())


@pytest.mark.skipif(sys.platform == "win32", reason="no sh between the client and its hooks there")
def test_an_older_one_is_found_above_the_shell() -> None:
    program = "from monitor.checkpoints import client_process; print(client_process.own({}).pid)"
    done = subprocess.run(
        ["sh", "-c", f'"{sys.executable}" -c "{program}"; true'], capture_output=True, text=True, check=True
    )
    assert int(done.stdout) == os.getpid()


@pytest.mark.parametrize("named", ["4194299", "99999999999999999999", "0x5", "-1"])
def test_a_process_that_is_not_there_is_unknown(named: str) -> None:
    found = client_process.own({"CLAUDE_PID": named})
    assert found is None or found.pid != int(named, 0)


def test_only_the_very_process_is_alive() -> None:
    mine = Client(os.getpid(), psutil.Process().create_time())
    assert client_process.is_alive(mine)
    assert not client_process.is_alive(Client(mine.pid, mine.started - 60))
    assert not client_process.is_alive(Client(2**22 - 5, mine.started))
    assert not client_process.is_alive(Client(-1, mine.started))
    assert not client_process.is_alive(Client(10**30, mine.started))
