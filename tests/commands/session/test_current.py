"""The current session, found by the running clients; none where none was started."""

import os
import subprocess
import sys
import uuid
from pathlib import Path

import pytest

from tests import scratch
from tests.commands.person import Person
from tests.commands.status.test_status import ELSEWHERE, FIRST, session

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="plays the client as a shell script")


def by_a_client(person: Person, elsewhere: Path, before: str = "", *arguments: str) -> str:
    """The output of `tidegauge status` when a client runs it in `elsewhere`, after the shell line `before`."""
    client = person.home / "claude"
    client.write_text(f'#!/bin/sh\n{before}\n(cd "{elsewhere}" && "$@")\nexit $?\n')
    client.chmod(0o755)
    result = subprocess.run(
        [str(client), sys.executable, "-m", "commands", "status", *arguments],
        cwd=person.project,
        env=scratch.environment(person.root) | {"PYTHONPATH": str(scratch.REPOSITORY)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    return result.stdout + result.stderr


def test_a_client_that_runs_in_the_sessions_directory_keeps_it_running(person: Person) -> None:
    transcript = session(person)

    text = by_a_client(person, person.project, f"sleep 0.1; touch {transcript.path}")

    assert "state           running: a client runs there (process " in text


def test_one_client_keeps_one_session_running(person: Person) -> None:
    older, newer = session(person, ELSEWHERE), session(person)
    os.utime(older.path, (1_700_000_000, 1_700_000_000))

    before = f"sleep 0.1; touch {newer.path}"
    # Beginnings of ids: a whole id among a client's arguments would be taken for its session's.
    texts = [by_a_client(person, person.project, before, "--session", name[:4]) for name in (FIRST, ELSEWHERE)]

    assert f"Session {FIRST}" in texts[0]
    assert "state           running" in texts[0]
    assert "state           ended" in texts[1]


def test_a_session_that_was_resumed_by_its_id_runs(person: Person) -> None:
    own = str(uuid.uuid4())  # every client on the machine is checked: no other test's session may have the same id
    os.utime(session(person, own).path, (1_700_000_000, 1_700_000_000))

    text = by_a_client(person, person.project, "", "--session", own)

    assert "was started with its id" in text


def test_without_any_session_the_answer_is_one_line(person: Person, tmp_path: Path) -> None:
    text = by_a_client(person, tmp_path)

    assert text == f"tidegauge: no session was started in {tmp_path}; name one with --session ID\n"
