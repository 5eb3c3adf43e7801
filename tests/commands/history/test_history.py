"""`tidegauge history`, as a person runs it."""

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from shared import paths
from tests import scratch
from tests.commands.person import Person


def output_of(person: Person, *arguments: str) -> str:
    result = person.tidegauge("history", *arguments)
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout


def refused(person: Person, *arguments: str) -> tuple[int, str]:
    result = person.tidegauge("history", *arguments)
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    return result.returncode, line


def store_of(person: Person) -> Path:
    return Path(paths.history_store(str(person.root)))


def test_sync_reports_what_it_read_and_totals_what_is_stored(person: Person) -> None:
    session = person.transcript()
    session.prompt()
    session.answer(20_000, output=70)

    assert output_of(person, "sync").startswith("1 transcript, 1 with something new (")
    assert output_of(person, "sync").startswith("1 transcript, 0 with something new (")
    assert json.loads(output_of(person, "totals", "--json")) == {
        "calls": 1,
        "input_tokens": 3,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": 19_997,
        "output_tokens": 70,
        "compactions": 0,
        "sessions": 1,
        "subagents": 0,
    }
    text = output_of(person, "totals", "--since", "2020-01-01")
    assert [line.split() for line in text.splitlines() if "cache read" in line] == [
        ["cache", "read", "input", "tokens", "19,997"]
    ]
    assert "\x1b" not in text


def test_nothing_is_kept_before_the_first_sync(person: Person) -> None:
    person.transcript().answer(20_000)

    code, line = refused(person, "totals")

    assert (code, "tidegauge history sync" in line) == (1, True)
    assert not store_of(person).exists()


@pytest.mark.parametrize("since", ["soon", "7"])
def test_an_invalid_time_is_a_command_line_error(person: Person, since: str) -> None:
    code, line = refused(person, "totals", "--since", since)

    assert (code, "7d" in line) == (2, True)


def test_a_damaged_store_is_named_in_one_line(person: Person) -> None:
    output_of(person, "sync")
    store_of(person).write_bytes(b"no database at all " * 500)

    for action in ("sync", "totals"):
        code, line = refused(person, action)
        assert (code, str(store_of(person)) in line) == (1, True)


def test_questions_are_answered_while_another_writes(person: Person) -> None:
    output_of(person, "sync")
    other = sqlite3.connect(store_of(person), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")

    assert json.loads(output_of(person, "totals", "--json"))["calls"] == 0

    other.close()


def test_paths_are_hashed_if_set(person: Person) -> None:
    person.configure("[history]\nhash_paths = true\n")
    session = person.transcript()
    session.answer(20_000)

    output_of(person, "sync")

    data = store_of(person).read_bytes()
    assert str(session.path).encode() not in data
    assert b"/home/dev" not in data


def test_for_a_damaged_store_it_says_what_to_do(person: Person) -> None:
    person.transcript().answer(20_000)
    output_of(person, "sync")
    with sqlite3.connect(store_of(person)) as store:
        store.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        store.execute("UPDATE paths SET name = CAST(x'bf' AS TEXT) || id")  # a byte that isn't what it was
    store.close()

    code, line = refused(person, "sessions")

    assert (code, line.startswith(f"tidegauge: {store_of(person)} cannot be used: ")) == (1, True)
    assert line.endswith("; move it away and run `tidegauge history sync`")


def test_a_sync_names_ignored_settings(person: Person) -> None:
    person.configure('[history]\nhash_paths = "yes"\n')

    result = person.tidegauge("history", "sync")

    (line,) = result.stderr.splitlines()
    assert line.startswith("tidegauge: ")
    assert line.endswith("config.toml: history.hash_paths: expected true or false, not 'yes'")


@pytest.mark.skipif(sys.platform == "win32", reason="there is no pty")
def test_on_a_terminal_a_sync_says_that_it_reads_and_waits_for_another(person: Person) -> None:
    output_of(person, "sync")
    person.transcript().answer(20_000)
    other = sqlite3.connect(store_of(person), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    leader, follower = os.openpty()
    with os.fdopen(leader, "rb", buffering=0) as screen:
        process = subprocess.Popen(
            [sys.executable, "-m", "commands", "history", "sync"],
            env=scratch.environment(person.root) | {"PYTHONPATH": str(scratch.REPOSITORY)},
            stdout=subprocess.PIPE,
            stderr=follower,
            text=True,
        )
        os.close(follower)
        text = b""
        while b"Reading transcripts" not in text:
            text += screen.read(4096)
        other.close()
        output, _ = process.communicate(timeout=60)

    assert output.startswith("1 transcript, 1 with something new (")
