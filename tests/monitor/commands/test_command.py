import io
import os
import re
import subprocess
import sys
import time

import pytest

from monitor.commands import COMMANDS
from monitor.commands.command import INSTALLING
from monitor.commands.overview.projects import folder_name
from tests import scratch
from tests.monitor.commands.person import SESSION, Person
from tests.transcripts import Transcript


def test_help_names_every_command_and_the_exit_codes(person: Person) -> None:
    done = person.tidegauge("--help")

    assert done.returncode == 0
    listed = {line.split()[0] for line in done.stdout.splitlines() if line.startswith("    ") and line[4] != " "}
    assert listed == {*COMMANDS, *INSTALLING}
    assert "Exit code: 0 success, 1 something is wrong, 2" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["docter"], "docter: no such command; did you mean doctor? (see tidegauge --help)"),
        (["instal"], "instal: no such command; did you mean install"),
        (["xyzzy"], "xyzzy: no such command: there are status, watch, resume, doctor, "),
        (["config", "sett", "x", "1"], "sett: no such command; did you mean set"),
        (["status", "--pivot", "exprot"], "exprot: no such choice; did you mean export?"),
        (["doctor", "--sesion", "x"], "unrecognized arguments: --sesion x"),
        (["doctor", "--session"], "argument --session: expected one argument"),
        (["demo", "--columns", "many"], "argument --columns: invalid int value: 'many'"),
    ],
)
def test_a_misspelt_command_line_is_answered_with_one_line(person: Person, arguments: list[str], reason: str) -> None:
    done = person.tidegauge(*arguments)

    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("tidegauge: ")
    assert done.stderr.count("\n") == 1
    assert reason in done.stderr


def test_a_reader_that_stops_early_is_no_error(person: Person) -> None:
    command = f'"{sys.executable}" -m monitor doctor --json | head -c 1'
    done = subprocess.run(
        ["sh", "-c", command],
        env=scratch.environment(person.root) | {"PYTHONPATH": str(scratch.REPOSITORY)},
        cwd=person.project,
        capture_output=True,
        check=False,
    )

    assert done.stdout == b"{"
    assert done.stderr == b""


def test_without_a_command_the_projects_status_is_shown(person: Person) -> None:
    folder = folder_name(os.path.realpath(person.project))
    Transcript(person.client / "projects" / folder / f"{SESSION}.jsonl").answer(60_000, at=time.time())

    bare, named = as_on_a_terminal(person), person.tidegauge("status")

    assert named.returncode == 0
    assert f"Session {SESSION}" in named.stdout
    assert SESSION in bare


def test_without_a_command_and_a_session_the_commands_are_pointed_to(person: Person) -> None:
    assert "(tidegauge --help lists the commands)" in as_on_a_terminal(person)


def as_on_a_terminal(person: Person) -> str:
    """What bare `tidegauge` writes to a terminal: without one, and without arguments, we are a hook."""
    pty = pytest.importorskip("pty")  # not on Windows
    leader, follower = pty.openpty()
    with os.fdopen(leader, "rb", buffering=0) as screen:
        process = subprocess.Popen(
            [sys.executable, "-m", "monitor"],
            env=scratch.environment(person.root) | {"PYTHONPATH": str(scratch.REPOSITORY), "NO_COLOR": "1"},
            cwd=person.project,
            stdin=follower,
            stdout=follower,
            stderr=follower,
        )
        os.close(follower)
        shown = b""
        while chunk := read_of(screen):
            shown += chunk
        process.wait(30)
    return shown.decode()


def read_of(screen: io.FileIO) -> bytes:
    try:
        return screen.read(4096)
    except OSError:  # Linux: nobody has the other end open any more
        return b""


def test_the_version_names_the_commit(person: Person) -> None:
    assert re.fullmatch(r"tidegauge \d+\.\d+\.\d+ \([0-9a-f]{7,}\)\n", person.tidegauge("--version").stdout)


@pytest.mark.skipif(sys.platform == "win32", reason="there the shell closes no stream")
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_stream_that_was_closed_before_is_no_error(person: Person, closed: str) -> None:
    command = f'exec "$0" -m monitor audit --json {closed}'
    done = subprocess.run(
        ["sh", "-c", command, sys.executable],
        cwd=person.project,
        env=scratch.environment(person.root) | {"PYTHONPATH": str(scratch.REPOSITORY)},
        capture_output=True,
        timeout=60,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(os.name == "nt", reason="a directory that is in use stays there on Windows")
def test_a_current_directory_that_was_removed_is_said_in_one_line(person: Person) -> None:
    script = 'mkdir gone && cd gone && rmdir ../gone && exec "$0" -m monitor doctor'
    done = subprocess.run(
        ["sh", "-c", script, sys.executable],
        cwd=person.home,
        env=scratch.environment(person.root) | {"PYTHONPATH": str(scratch.REPOSITORY)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr == "tidegauge: the current directory no longer exists: change to another one\n"
