import argparse
import io
import os
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from commands import COMMANDS, parser
from commands.command import INSTALLING, USAGE
from commands.session.projects import folder_name
from tests import scratch
from tests.commands.person import SESSION, Person
from tests.transcripts import Transcript

EXAMPLE = re.compile(r"^  (?:eval \"\$\()?(tidegauge.*)$", re.MULTILINE)


@pytest.mark.parametrize("words", [["-V"], ["status", "-V"], ["history", "--version"], ["history", "top", "-V"]])
def test_each_command_has_the_version(person: Person, words: list[str]) -> None:
    result = person.tidegauge(*words)
    assert (result.returncode, result.stderr) == (0, "")
    assert re.fullmatch(r"tidegauge \d+\.\d+\.\d+.*\n", result.stdout)


@pytest.mark.skipif(sys.platform == "win32", reason="the scripts are POSIX")
@pytest.mark.parametrize("path", ["", ".", f".{os.pathsep}{os.defpath}"])
def test_no_program_in_the_current_directory_is_run(person: Person, path: str) -> None:
    for name in ("git", "sh", "claude"):
        (person.project / name).write_text("#!/bin/sh\n: >ran\n")
        (person.project / name).chmod(0o755)

    for words in (["-V"], ["doctor"]):
        person.tidegauge(*words, environ={"PATH": path})
        assert not (person.project / "ran").exists(), words


def test_help_names_every_command_and_the_exit_codes(person: Person) -> None:
    result = person.tidegauge("--help")

    assert result.returncode == 0
    listed = {line.split()[0] for line in result.stdout.splitlines() if line.startswith("    ") and line[4] != " "}
    assert listed == {*COMMANDS, *INSTALLING}
    assert "exit codes:\n  0  success\n  1  something is wrong\n  2  " in result.stdout


def parsers(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """`parser` and its subparsers, without the installer's, whose own --help says it all."""
    yield parser
    for action in parser._actions:  # noqa: SLF001  has no public name
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001  nor this
            for name, below in action.choices.items():
                if name not in INSTALLING:
                    yield from parsers(below)


PARSERS = {one.prog: one for one in parsers(parser([]))}


@pytest.mark.parametrize("name", PARSERS)
def test_help_has_valid_examples_and_the_exit_codes(name: str) -> None:
    text = PARSERS[name].format_help()

    assert "\nexamples:\n  " in text
    assert re.search(r"\nexit codes:\n  0  success\n  1  .+\n  2  the command line is not understood", text)
    assert max(map(len, text.splitlines())) <= 100


EXAMPLES = sorted({line for one in PARSERS.values() for line in EXAMPLE.findall(one.format_help())})
NOT_RUN = re.compile(r"watch|demo$|conformance|resume 3$|.*--(?:fix|open)")
"""Examples that need a terminal, a browser, an installation or minutes: their command line is read, and no more."""


@pytest.mark.parametrize("line", EXAMPLES)
def test_examples_parse(person: Person, line: str) -> None:
    words = shlex.split(re.split(r" [>|] |  |\)", line)[0])[1:]
    if words and words[0] in {"COMMAND", *INSTALLING}:
        return
    parser(words or ["status"]).parse_args(words or ["status"])
    if not NOT_RUN.match(" ".join(words)):
        result = person.tidegauge(*words)
        assert result.returncode != USAGE, result.stderr


def test_an_option_is_explained_in_the_same_words_everywhere() -> None:
    texts: dict[str, set[str]] = {}
    for one in PARSERS.values():
        for action in one._actions:  # noqa: SLF001  has no public name
            for option in action.option_strings:
                texts.setdefault(option, set()).add(str(action.help).removeprefix("the project of "))

    assert {option: words for option, words in texts.items() if len(words) > 1} == {}


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["docter"], "docter: no such command; did you mean doctor? (see tidegauge --help)"),
        (["instal"], "instal: no such command; did you mean install"),
        (["xyzzy"], "xyzzy: no such command: there are status, watch, resume, doctor, "),
        (["config", "sett", "x", "1"], "sett: no such command; did you mean set"),
        (["status", "--pivot", "exprot"], "exprot: no such choice; did you mean export?"),
        (["doctor", "--sesion", "x"], "unrecognized arguments: --sesion x (see tidegauge doctor --help)"),
        (["doctor", "--session"], "--session: expected one argument"),
        (["config", "set", "levels"], "missing: VALUE; usage: tidegauge config set [--project] KEY VALUE"),
        (["config"], "config needs an action: show, get, set, unset"),
        (["history", "--json"], "history needs an action: sync, totals, top"),
        (["resume", "x"], "N: expected a whole number, not 'x' (see tidegauge resume --help)"),
        (["conformance", "--timeout", "x"], "--timeout: expected a number, not 'x' (see tidegauge conformance"),
        (["--sesion"], "unrecognized arguments: --sesion"),
        (["demo", "--window", "many"], "--window: expected a whole number, not 'many'"),
    ],
)
def test_a_misspelt_command_line_is_answered_with_one_line(person: Person, arguments: list[str], reason: str) -> None:
    result = person.tidegauge(*arguments)

    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr.startswith("tidegauge: ")
    assert result.stderr.count("\n") == 1
    assert reason in result.stderr


def test_a_reader_that_stops_early_is_no_error(person: Person) -> None:
    command = f'"{sys.executable}" -m commands doctor --json | head -c 1'
    result = subprocess.run(
        ["sh", "-c", command],
        env=scratch.environment(person.root) | {"PYTHONPATH": str(scratch.REPOSITORY)},
        cwd=person.project,
        capture_output=True,
        check=False,
    )

    assert result.stdout == b"{"
    assert result.stderr == b""


def test_without_a_command_the_projects_status_is_shown(person: Person) -> None:
    folder = folder_name(os.path.realpath(person.project))
    Transcript(person.client / "projects" / folder / f"{SESSION}.jsonl").answer(60_000, at=time.time())

    bare, result = as_on_a_terminal(person), person.tidegauge("status")

    assert result.returncode == 0
    assert f"Session {SESSION}" in result.stdout
    assert SESSION in bare


def test_without_a_command_or_session_it_points_to_the_commands(person: Person) -> None:
    assert "(tidegauge --help lists the commands)" in as_on_a_terminal(person)


def as_on_a_terminal(person: Person) -> str:
    """The output of bare `tidegauge` on a terminal: without terminal and arguments we are a hook."""
    pty = pytest.importorskip("pty")  # not on Windows
    leader, follower = pty.openpty()
    with os.fdopen(leader, "rb", buffering=0) as screen:
        process = subprocess.Popen(
            [sys.executable, "-m", "commands"],
            env=scratch.environment(person.root) | {"PYTHONPATH": str(scratch.REPOSITORY), "NO_COLOR": "1"},
            cwd=person.project,
            stdin=follower,
            stdout=follower,
            stderr=follower,
        )
        os.close(follower)
        output = b""
        while chunk := read_of(screen):
            output += chunk
        process.wait(30)
    return output.decode()


def read_of(screen: io.FileIO) -> bytes:
    try:
        return screen.read(4096)
    except OSError:  # Linux: nobody has the other end open any more
        return b""


def test_the_version_names_the_commit(person: Person) -> None:
    assert re.fullmatch(r"tidegauge \d+\.\d+\.\d+ \([0-9a-f]{7,}\)\n", person.tidegauge("--version").stdout)
    assert person.tidegauge("-V").stdout == person.tidegauge("--version").stdout


def test_bare_options_are_the_status_commands(person: Person) -> None:
    assert person.tidegauge("--json").stderr == person.tidegauge("status", "--json").stderr


@pytest.mark.skipif(sys.platform == "win32", reason="there the shell closes no stream")
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_stream_that_was_closed_before_is_no_error(person: Person, closed: str) -> None:
    command = f'exec "$0" -m commands audit --json {closed}'
    result = subprocess.run(
        ["sh", "-c", command, sys.executable],
        cwd=person.project,
        env=scratch.environment(person.root) | {"PYTHONPATH": str(scratch.REPOSITORY)},
        capture_output=True,
        timeout=60,
        check=False,
    )

    assert (result.returncode, result.stderr) == (0, b"")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a disk that is always full is Linux's")
@pytest.mark.parametrize(
    ("words", "what"),
    [(["--help"], ""), (["-V"], ""), (["audit", "--json"], ""), (["uninstall", "--dry-run"], "the system: ")],
)
def test_a_full_disk_is_reported_in_one_line(person: Person, words: list[str], what: str) -> None:
    with open("/dev/full", "wb") as full:
        result = subprocess.run(
            [sys.executable, "-m", "commands", *words],
            cwd=person.project,
            env=scratch.environment(person.root) | {"PYTHONPATH": str(scratch.REPOSITORY)},
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert (result.returncode, result.stderr.decode()) == (1, f"tidegauge: {what}No space left on device\n")


@pytest.mark.skipif(os.name == "nt", reason="a directory that is in use stays there on Windows")
def test_a_removed_current_directory_is_reported_in_one_line(person: Person) -> None:
    script = 'mkdir gone && cd gone && rmdir ../gone && exec "$0" -m commands doctor'
    result = subprocess.run(
        ["sh", "-c", script, sys.executable],
        cwd=person.home,
        env=scratch.environment(person.root) | {"PYTHONPATH": str(scratch.REPOSITORY)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 1
    assert result.stderr == "tidegauge: the current directory no longer exists: change to another one\n"
