"""`tidegauge conformance`: our status line passes, faults are named, and nothing of the person's is touched."""

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from commands.conformance.case import read_cases
from tests import scratch
from tests.commands.conformance import status_lines
from tests.commands.conformance.status_lines import status_line
from tests.commands.doctor.test_doctor import contents
from tests.commands.person import Person
from tests.statusline.running import wait_for_end

REDRAWS = sum(bool(row.redraw) for case in read_cases() for row in case.rows)


PATIENT = ("--timeout", "30")
"""A busy machine takes its time; no test is about that."""
SECONDS = 300
"""How long all cases may take there."""


def results(person: Person, command: str, *arguments: str) -> dict[str, list[dict[str, Any]]]:
    """The redraws by case name, one client's after the other's."""
    result = person.tidegauge("conformance", command, "--json", *PATIENT, *arguments, timeout=SECONDS)
    assert result.stderr == ""
    outcome: dict[str, list[dict[str, Any]]] = {}
    for case in json.loads(result.stdout)["cases"]:
        outcome.setdefault(case["name"], []).extend(case["redraws"])
    assert result.returncode == any(redraw["fault"] for redraws in outcome.values() for redraw in redraws)
    return outcome


def chosen(*cases: str) -> list[str]:
    return [word for case in cases for word in ("--case", case)]


def wrong(outcome: dict[str, list[dict[str, Any]]]) -> set[str]:
    return {name for name, redraws in outcome.items() if any(redraw["fault"] for redraw in redraws)}


def test_our_status_line_agrees_with_the_client(person: Person) -> None:
    ours = shlex.join(scratch.command(person.root, "statusline"))
    before = contents(person.root)

    result = person.tidegauge("conformance", ours, *PATIENT, timeout=SECONDS)

    count = len(read_cases())
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.splitlines()[-1] == (
        f"Judged by its bridge: {count} of {count} cases right, {REDRAWS} of {REDRAWS} redraws."
    )
    assert contents(person.root) == before


def test_the_clients_own_figure_is_right(person: Person, tmp_path: Path) -> None:
    command = status_line(tmp_path, status_lines.CLIENTS_OWN)

    result = person.tidegauge("conformance", command, *PATIENT, timeout=SECONDS)

    assert result.returncode == 0, result.stdout
    assert result.stdout.splitlines()[-1].startswith("Judged by what it prints: ")


def test_a_fixed_window_of_200k_is_found_wrong(person: Person, tmp_path: Path) -> None:
    misjudged = {"native-million", "marked-million", "beta-million", "switched", "start"}
    right = ("filling", "compaction", "rewind", "fork", "sidechains")

    outcome = results(person, status_line(tmp_path, status_lines.OF_200K), *chosen(*misjudged, *right))

    assert wrong(outcome) == misjudged
    assert [redraw["fault"] for redraw in outcome["native-million"]][-1] == "100%, the client: 63%"


def test_counting_the_last_line_is_found_wrong(person: Person, tmp_path: Path) -> None:
    misjudged, right = (
        {"compaction", "sidechains", "rewind", "iterations", "torn"},
        ("filling", "native-million", "subagents"),
    )

    outcome = results(person, status_line(tmp_path, status_lines.LAST_USAGE), *chosen(*misjudged, *right))

    assert wrong(outcome) == misjudged


def test_a_hanging_status_line_is_ended_with_all_its_processes(person: Person, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    command = status_line(tmp_path, status_lines.HANGING, str(pids))

    outcome = results(person, command, "--timeout", "1", "--case", "filling")

    assert [redraw["fault"] for redraw in outcome["filling"]] == ["times out"] * 2  # one of each client's
    assert len(pids.read_text().split()) == 2
    for pid in pids.read_text().split():
        wait_for_end(int(pid))


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupted_run_leaves_nothing(person: Person, tmp_path: Path, number: int, code: int) -> None:
    pids, temporary = tmp_path / "pids", tmp_path / "tmp"
    temporary.mkdir()
    command = status_line(tmp_path, status_lines.HANGING, str(pids))
    environ = {**scratch.environment(person.root), "PYTHONPATH": str(scratch.REPOSITORY), "TMPDIR": str(temporary)}
    arguments = ["conformance", command, "--case", "filling", "--timeout", "60"]
    with subprocess.Popen([sys.executable, "-m", "commands", *arguments], env=environ) as running:
        deadline = time.monotonic() + 30
        while not (pids.exists() and pids.read_text().endswith("\n")) and time.monotonic() < deadline:
            time.sleep(0.02)
        running.send_signal(number)

        assert running.wait(30) == code
    wait_for_end(int(pids.read_text()))
    assert list(temporary.iterdir()) == []


def test_a_status_line_that_fails_is_found_wrong(person: Person) -> None:
    outcome = results(person, "sh -c 'exit 127'", "--case", "start")

    assert {redraw["fault"] for redraw in outcome["start"]} == {"fails with exit code 127"}


def test_the_remaining_percentage_can_be_judged_too(person: Person, tmp_path: Path) -> None:
    command = status_line(tmp_path, status_lines.REMAINING)

    outcome = results(person, command, "--remaining", "--pattern", r"(\d+)% left", *chosen("filling", "start"))

    assert wrong(outcome) == set()
    assert wrong(results(person, command, "--case", "filling")) == {"filling"}


@pytest.mark.parametrize(
    ("changes", "faults"),
    [
        ("{}", {""}),
        ("{'used_pct': 90}", {"its bridge's used_pct and remaining_percentage contradict each other"}),
        ("{'timestamp': int(time.time()) - 100}", {f"no percentage, the client: {used}%" for used in (11, 45, 67)}),
        ("{'session_id': 'another'}", {f"no percentage, the client: {used}%" for used in (11, 45, 67)}),
    ],
)
def test_a_bridge_is_judged_before_what_is_printed(
    person: Person, tmp_path: Path, changes: str, faults: set[str]
) -> None:
    command = status_line(tmp_path, status_lines.BRIDGE, changes)

    outcome = results(person, command, "--case", "filling")

    assert {redraw["fault"] for redraw in outcome["filling"]} == faults
    printed = results(person, command, "--case", "filling", "--printed")
    assert printed["filling"][0]["fault"] == ""  # 12 is near enough to 11
    assert wrong(printed) == {"filling"}


def test_it_runs_in_its_own_directory(person: Person, tmp_path: Path) -> None:
    (tmp_path / "tmp").mkdir()
    record = tmp_path / "record.json"
    script = f"import json, os; json.dump([dict(os.environ), os.getcwd()], open({str(record)!r}, 'w'))"
    command = status_line(tmp_path, script)
    before = contents(person.home)

    environ = {"TMPDIR": str(tmp_path / "tmp"), "ANTHROPIC_API_KEY": "made-up", "MY_SECRET": "made-up"}
    person.tidegauge("conformance", command, "--case", "start", *PATIENT, environ=environ)

    environment, directory = json.loads(record.read_text())
    directory_of_all = os.path.commonpath(
        [environment["HOME"], environment["TMPDIR"], environment["CLAUDE_CONFIG_DIR"], directory]
    )
    assert Path(directory_of_all).parent == tmp_path / "tmp"
    assert not {"ANTHROPIC_API_KEY", "MY_SECRET"} & environment.keys()
    assert list((tmp_path / "tmp").iterdir()) == []
    assert contents(person.home) == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            [],
            (
                "missing: COMMAND; usage: tidegauge conformance [--printed] [--pattern REGEX] [--remaining] "
                "[--timeout SECONDS] [--case NAME] [--json] COMMAND"
            ),
        ),
        (["no-such-line --bar"], "no-such-line: not found"),
        (["./line.sh"], "./line.sh: not found in a directory of its own; give its whole path"),
        ([" "], "COMMAND: it must be a command for the shell, such as 'ccusage statusline'"),
        (["true", "--timeout", "0"], "--timeout 0: it must be between 0.1 and 60"),
        (["true", "--pattern", "("], "--pattern (: missing ), unterminated subpattern at position 0"),
        (["true", "--pattern", "(" * 3_000], "--pattern: it is nested too deeply, or repeats too often"),
        (["true", "--pattern", "(x){99999999999}"], "--pattern: it is nested too deeply, or repeats too often"),
        (["true", "--pattern", "x"], r"--pattern x: its first group must be the number, as in (\d+(?:\.\d+)?) ?%"),
        (["true", "--case", "x"], f"--case x: there are {', '.join(sorted({case.name for case in read_cases()}))}"),
    ],
)
def test_a_wrong_command_line_is_answered_with_one_line(person: Person, arguments: list[str], message: str) -> None:
    result = person.tidegauge("conformance", *arguments)

    assert (result.returncode, result.stdout, result.stderr) == (2, "", f"tidegauge: {message}\n")
