"""`tidegauge status`, as a person runs it: which session it picks, and what it reports."""

import json
import os
import re
import subprocess
import sys
import time
import typing
from pathlib import Path

import msgspec
import pytest

from commands.session.projects import folder_name
from commands.status.survey import Survey
from monitor.pivot.overview import SessionOverview
from tests.commands.person import Person
from tests.monitor.workshop import GIT
from tests.scratch import REPOSITORY
from tests.transcripts import Transcript

FIRST = "5b0c6a1e-0000-4000-8000-000000000001"
SECOND = "5b0c6a1e-0000-4000-8000-000000000002"
ELSEWHERE = "77777777-0000-4000-8000-000000000003"


def session(person: Person, name: str = FIRST, *, directory: Path | None = None, tokens: int = 150_000) -> Transcript:
    """Write a session that was started in `directory`, or in the person's project."""
    folder = folder_name(os.path.realpath(directory or person.project))
    transcript = Transcript(person.client / "projects" / folder / f"{name}.jsonl")
    transcript.prompt("Fix the greeting")
    transcript.answer(tokens)
    transcript.result()
    return transcript


def output_of(person: Person, *arguments: str, **environ: str) -> str:
    result = person.tidegauge("status", *arguments, environ=environ)
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout


def refused(person: Person, *arguments: str, **environ: str) -> tuple[int, str]:
    """The exit code and the one line of an error."""
    result = person.tidegauge("status", *arguments, environ=environ)
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    return result.returncode, line.removeprefix("tidegauge: ")


def test_everything_is_printed_in_plain_lines(person: Person) -> None:
    session(person)

    text = output_of(person)

    assert "\x1b" not in text
    assert f"Session {FIRST}" in text
    for line in (
        "usage           150,000 of 200,000 tokens, 75% used: CRITICAL",
        "limit           17,000 tokens until the client compacts at 167,000 (assumed).",
        "patterns        none: no sign that the session is degrading",
        "work            simple: 0 files edited",
        "next            17k tokens until compaction: let it happen, or continue in a new session.",
        "state           ended: no client is running it",
    ):
        assert f"  {line}\n" in text


def test_the_bridge_counts_while_it_is_fresh(person: Person) -> None:
    person.write_bridge(session(person), 151_000, age=5)

    assert "by the status line" in output_of(person)


def test_json_has_the_same_facts(person: Person) -> None:
    session(person)

    document = json.loads(output_of(person, "--session", FIRST, "--json"))

    assert document["overview"]["session_id"] == FIRST
    assert (document["overview"]["used"], document["overview"]["tokens"], document["overview"]["source"]) == (
        75.0,
        150_000,
        "transcript",
    )
    assert document["overview"]["ladders"] == {
        "monitor": "CRITICAL",
        "prompt tag": "WARNING",
        "pivot": "alert",
        "ceiling": "above",
    }
    assert document["overview"]["decision"]["strategy"] == "continue"


def test_inside_a_client_its_session_is_shown(person: Person) -> None:
    os.utime(session(person).path, (0, 0))
    session(person, SECOND)

    text = output_of(person, CLAUDE_CODE_SESSION_ID=FIRST)

    assert f"Session {FIRST}" in text
    assert "state           running: it runs this command" in text


def test_a_session_without_a_transcript_is_found(person: Person) -> None:
    text = output_of(person, CLAUDE_CODE_SESSION_ID=FIRST)

    assert f"Session {FIRST}" in text
    assert "unknown until the next answer" in text


def test_the_branch_is_the_current_worktrees(person: Person) -> None:
    for words in (["init", "-q", "-b", "trunk"], ["commit", "-q", "--allow-empty", "-m", "first"]):
        subprocess.run([*GIT, *words], cwd=person.project, check=True)
    subprocess.run([*GIT, "worktree", "add", "-q", "-b", "bay", "inside"], cwd=person.project, check=True)
    session(person).prompt("Go on there", cwd=str(person.project / "inside"))

    assert "branch          bay" in output_of(person)


def test_outside_a_client_the_projects_newest_session_is_shown(person: Person) -> None:
    os.utime(session(person).path, (0, 0))
    session(person, SECOND)
    (person.home / "other").mkdir()
    session(person, ELSEWHERE, directory=person.home / "other")

    text = output_of(person)

    assert f"Session {SECOND}" in text
    assert ELSEWHERE not in text


def test_a_subdirectory_of_the_project_is_enough(person: Person) -> None:
    session(person)
    (person.project / "src" / "deep").mkdir(parents=True)
    within = person._replace(project=person.project / "src" / "deep")

    assert f"Session {FIRST}" in output_of(within)


def test_the_beginning_of_an_id_is_enough(person: Person) -> None:
    session(person)
    session(person, ELSEWHERE, directory=person.home)

    assert f"Session {ELSEWHERE}" in output_of(person, "--session", ELSEWHERE[:5])


@pytest.mark.parametrize(
    ("wanted", "code", "reason"),
    [
        ("nope", 1, "no session nope"),
        ("5b0c", 2, "matches more than one session"),
        ("../../etc", 2, "a session's id consists of letters"),
        ("", 2, "a session's id consists of letters"),
    ],
)
def test_an_unknown_session_is_one_line(person: Person, wanted: str, code: int, reason: str) -> None:
    session(person)
    session(person, SECOND)

    exit_code, line = refused(person, f"--session={wanted}")

    assert exit_code == code
    assert reason in line


def test_a_project_without_sessions_is_one_line(person: Person) -> None:
    assert refused(person) == (1, f"no session was started in {person.project}; name one with --session ID")


def test_an_interrupted_session_is_reported_as_such(person: Person) -> None:
    transcript = session(person)
    transcript.answer(151_000, tool_use_ids=("toolu_9",))

    assert "interrupted: no client is running it, and its last tool use has no result" in output_of(person)


def test_a_transcript_cut_within_a_line_is_reported_as_such(person: Person) -> None:
    session(person).write(b'{"type":"assistant","mess')

    assert "interrupted: no client is running it, and the last line of its transcript is incomplete" in output_of(
        person
    )


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() != 0, reason="only root may give a file away")
def test_another_users_session_is_ignored(person: Person) -> None:
    transcript = session(person)
    os.chown(transcript.path, 12_345, 12_345)

    code, line = refused(person, "--session", FIRST)

    assert (code, line) == (1, f"session {FIRST} belongs to user 12345, not to you")


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="root may read everything")
def test_a_transcript_that_cannot_be_read_is_one_line(person: Person) -> None:
    session(person).path.chmod(0)

    code, line = refused(person, "--session", FIRST)

    assert code == 1
    assert "its transcript cannot be read: Permission denied" in line


def test_a_transcript_that_is_no_file_is_one_line(person: Person) -> None:
    path = session(person).path
    path.unlink()
    os.mkfifo(path)

    assert refused(person, "--session", FIRST) == (
        1,
        f"session {FIRST}: its transcript cannot be read: not a regular file",
    )


def test_patterns_are_shown_with_their_evidence(person: Person) -> None:
    transcript = session(person)
    for number in range(6):
        transcript.answer(150_000 + number, tool_use_ids=(f"toolu_1{number}",), text="make test")
        transcript.result(f"toolu_1{number}", "Exit code 2", failed=True)

    text = output_of(person)

    assert "patterns        confusion, score " in text
    assert "failed 6 times in a row" in text
    assert "how             compress: compact with a focus" in text
    assert "run             ~/.claude/tidegauge/bin/tidegauge status --pivot compress --session 5b0c6a1e" in text


def test_text_from_outside_cannot_steer_the_terminal(person: Person) -> None:
    name = "\x1b[2J\u202ered"
    (person.home / name).mkdir()
    outside = person._replace(project=person.home / name)
    session(outside)

    text = output_of(outside)

    assert "\x1b" not in text
    assert "\u202e" not in text


def test_the_command_learns_nothing(person: Person) -> None:
    session(person)
    output_of(person)

    assert not (person.root / "learned.json").exists()


def test_an_old_session_gets_no_next_step(person: Person) -> None:
    transcript = session(person, tokens=168_000)
    assert "Compaction is due" in output_of(person)
    long_ago = time.time() - 94 * 86_400
    os.utime(transcript.path, (long_ago, long_ago))

    text = output_of(person)

    assert (
        f"  next            It ended 94d0h ago. To continue it: claude --resume {FIRST}; what is saved:"
        " ~/.claude/tidegauge/bin/tidegauge resume\n" in text
    )
    assert "Compaction is due" not in text
    assert "suggested" not in text


def test_a_session_of_another_project_is_continued_from_its_own_directory(person: Person) -> None:
    transcript = session(person)
    long_ago = time.time() - 94 * 86_400
    os.utime(transcript.path, (long_ago, long_ago))
    elsewhere = person.home / "elsewhere"
    elsewhere.mkdir()

    text = output_of(person._replace(project=elsewhere), "--session", FIRST)

    assert f"To continue it: cd /home/dev/shop && claude --resume {FIRST};" in text


def test_the_agents_page_names_existing_fields() -> None:
    page = (REPOSITORY / "installer" / "client_files" / "token-limit-pivot-orchestrator.md").read_text("utf-8")
    read = page.partition("Read `")[2].partition("2. Choose")[0]
    block, *fields = re.findall(r"`(\w+)`", f"`{read}")

    assert typing.get_type_hints(Survey)[block] is SessionOverview
    assert len(fields) == 6
    assert set(fields) <= {field.encode_name for field in msgspec.structs.fields(SessionOverview)}
