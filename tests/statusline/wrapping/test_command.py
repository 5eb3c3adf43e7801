import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from shared.settings.config import WRAPPED_BYTES
from statusline.wrapping.command import Command
from tests.scratch import REPOSITORY
from tests.statusline.running import is_alive, wait_for_end

pytestmark = pytest.mark.filterwarnings("ignore:subprocess .* is still running:ResourceWarning")


def test_the_output_is_passed_on_byte_for_byte() -> None:
    assert Command(r"printf 'a\033[31mb\n\nc\377 '", b"").output(5) == b"a\x1b[31mb\n\nc\xff "


def test_the_command_gets_its_stdin_environment_and_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "77")
    monkeypatch.chdir(tmp_path)

    assert Command('cat; printf "$COLUMNS:$PWD"', b'{"a": 1}').output(5) == b'{"a": 1}77:' + os.fsencode(tmp_path)


def test_a_stdin_larger_than_the_pipe_arrives_whole() -> None:
    assert Command("sleep 0.1; wc -c", b"x" * 3_000_000).output(5).strip() == b"3000000"


def test_an_unread_stdin_is_no_failure() -> None:
    assert Command("echo line", b"x" * 3_000_000).output(5) == b"line\n"


@pytest.mark.parametrize("command", ["echo line; exit 3", "true", "no-such-command-anywhere", "kill -9 $$"])
def test_failing_or_silent_commands_print_nothing(command: str) -> None:
    assert Command(command, b"").output(5) == b""


def test_stderr_is_not_shown() -> None:
    assert Command("echo trouble >&2; echo line", b"").output(5) == b"line\n"


def test_a_slow_command_is_ended_with_all_its_processes(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    start = time.monotonic()
    output = Command(f"sleep 60 & echo $! >{pids}; echo $$ >>{pids}; echo early; wait", b"").output(0.3)

    assert output == b""
    assert 0.3 <= time.monotonic() - start < 30
    for pid in pids.read_text().split():
        wait_for_end(int(pid))


def test_a_background_job_holding_the_pipe_does_not_block(tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    start = time.monotonic()
    output = Command(f"sleep 60 & echo $! >{pid_file}; echo line", b"").output(5)
    pid = int(pid_file.read_text())

    assert output == b"line\n"
    assert time.monotonic() - start < 30
    assert is_alive(pid)  # the person's own, such as one that refreshes a cache
    os.kill(pid, signal.SIGKILL)


def test_a_command_that_closes_its_output_and_stays_is_ended() -> None:
    start = time.monotonic()

    assert Command("echo line; exec >&-; sleep 60", b"").output(0.3) == b""
    assert time.monotonic() - start < 30


def test_endless_output_is_not_collected() -> None:
    assert Command(f"head -c {WRAPPED_BYTES * 8} /dev/zero", b"").output(5) == b""


def test_a_command_that_cannot_be_started_raises() -> None:
    with pytest.raises(ValueError, match="null byte"):
        Command("echo \0", b"")


def test_when_the_client_ends_us_the_command_ends_too(tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    command = f"sleep 60 & echo $! >{shlex.quote(str(pid_file))}.new; mv {pid_file}.new {pid_file}; wait"
    program = (
        f"import sys; sys.path[:0] = {[str(REPOSITORY), *sys.path]!r}\n"
        f"from statusline.wrapping.command import Command\nCommand({command!r}, b'').output(30)"
    )
    ours = subprocess.Popen([sys.executable, "-c", program])
    while not pid_file.exists():
        time.sleep(0.01)
    ours.terminate()

    assert ours.wait(20) == 0
    wait_for_end(int(pid_file.read_text()))
