import subprocess
import sys

import pytest

from monitor.commands import COMMANDS
from tests import scratch
from tests.monitor.commands.person import Person


def test_help_names_every_command_and_the_exit_codes(person: Person) -> None:
    done = person.tidegauge("--help")

    assert done.returncode == 0
    listed = {line.split()[0] for line in done.stdout.splitlines() if line.startswith("    ") and line[4] != " "}
    assert listed == set(COMMANDS)
    assert "Exit code: 0 all right, 1 something is wrong, 2" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["docter"], "invalid choice: 'docter' (choose from"),
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
