"""`tidegauge watch` through a real sshd on loopback, with keys made for the test (`apt install openssh-server`)."""

import getpass
import os
import shlex
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from tests import scratch
from tests.client.terminal import Terminal
from tests.commands.person import Person

SSHD = shutil.which("sshd", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
NOTHING = "No session is running"
TERMINAL = {"PATH": os.environ["PATH"], "TERM": "xterm-256color"}

pytestmark = pytest.mark.skipif(not (SSHD and shutil.which("tmux")), reason="needs sshd and tmux")


@pytest.fixture
def ssh(tmp_path: Path) -> Iterator[list[str]]:
    """The ssh command to this machine, as if to another."""
    folder = tmp_path / "ssh"
    folder.mkdir(mode=0o700)
    if os.geteuid() == 0:
        Path("/run/sshd").mkdir(exist_ok=True)  # root's sshd wants it; its package's service makes it
    for name in ("host", "key"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(folder / name)], check=True)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    settings = {
        "ListenAddress": "127.0.0.1",
        "Port": port,
        "HostKey": folder / "host",
        "AuthorizedKeysFile": folder / "key.pub",
        "PidFile": "none",
        "UsePAM": "no",
        "StrictModes": "no",
        "PasswordAuthentication": "no",
    }
    (folder / "sshd_config").write_text("".join(f"{name} {value}\n" for name, value in settings.items()))
    options = [
        "BatchMode=yes",
        "ConnectTimeout=10",
        "StrictHostKeyChecking=no",
        f"UserKnownHostsFile={folder / 'known'}",
    ]
    command = ["ssh", "-tt", "-q", "-F", "none", "-i", str(folder / "key"), "-p", str(port)]
    command += [word for option in options for word in ("-o", option)] + [f"{getpass.getuser()}@127.0.0.1"]
    with subprocess.Popen([str(SSHD), "-D", "-q", "-f", str(folder / "sshd_config")]) as server:
        try:
            wait(lambda: subprocess.run([*command, "true"], check=False).returncode == 0)
            yield command
        finally:
            server.terminate()


def wait(holds: Callable[[], bool], seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > deadline:
            raise AssertionError("not in time")
        time.sleep(0.1)


def far_side(person: Person) -> str:
    """The remote shell's script: run `tidegauge watch`, record its process id, and whether it changed the terminal."""
    project, identity = shlex.quote(str(person.project)), shlex.quote(str(person.home / "pid"))
    watch = f"cd {project}; echo $$ > {identity}; exec {shlex.quote(sys.executable)} -m commands watch"
    environ = scratch.environment(person.root) | {"PYTHONPATH": str(scratch.REPOSITORY), "LANG": "C.UTF-8"}
    start = shlex.join(["env", *(f"{name}={value}" for name, value in environ.items()), "sh", "-c", watch])
    return f'echo BEFORE; modes=$(stty -g); {start}; echo "LEFT $?"; [ "$modes" = "$(stty -g)" ] && echo SAME'


@pytest.mark.parametrize("key", ["q", "C-c"])
def test_it_fits_the_remote_terminal_and_restores_it(person: Person, ssh: list[str], tmp_path: Path, key: str) -> None:
    command = [*ssh, f"{far_side(person)}; sleep 60"]
    with Terminal(tmp_path, command, TERMINAL, 80) as terminal:
        terminal.wait_for(NOTHING)
        terminal.resize(24)
        terminal.wait(lambda screen: screen.startswith(" tidegauge watch: 0 se"), "a title that fits 24 columns")
        terminal.press(key)
        terminal.wait(lambda screen: screen.split()[:4] == ["BEFORE", "LEFT", "0", "SAME"], "the screen as it was")


def test_a_cut_connection_leaves_no_process(person: Person, ssh: list[str], tmp_path: Path) -> None:
    near = tmp_path / "near"
    command = ["sh", "-c", '"$@" & echo $! >"$0"; wait; sleep 60', str(near), *ssh, far_side(person)]
    with Terminal(tmp_path, command, TERMINAL) as terminal:
        terminal.wait_for(NOTHING)
        watching = psutil.Process(int((person.home / "pid").read_text()))
        assert watching.is_running()

        psutil.Process(int(near.read_text())).kill()

        wait(lambda: not watching.is_running())
