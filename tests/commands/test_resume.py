"""`tidegauge resume`: it lists saved work, and continues it in a new session."""

import json
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.commands.person import Person
from tests.commands.resumption import CLIENT, WISH, client_on_path, resume
from tests.monitor.checkpoints.test_placed_checkpoint import place
from tests.monitor.workshop import Workshop


def test_resumable_work_is_listed(person: Person, work: Workshop) -> None:
    work.compact()
    work.session("session-2").compact()
    place(work, 9)

    result = resume(person)

    assert result.returncode == 0, result.stderr
    lines = result.stdout.splitlines()
    assert [line.split()[0] for line in lines[:-1]] == ["9", "3", "2"]  # the newest of each session
    assert "no proof that your Tidegauge wrote it" in lines[0]
    assert WISH in lines[2]
    assert lines[-1] == "To continue one in a new session: ~/.claude/tidegauge/bin/tidegauge resume N"


def test_work_is_found_from_a_subdirectory_of_the_project(person: Person, work: Workshop) -> None:
    (person.project / "deep").mkdir()
    result = person._replace(project=person.project / "deep").tidegauge("resume")
    assert WISH in result.stdout


@pytest.mark.skipif(os.name == "nt", reason="a script on PATH is no program there")
def test_the_client_is_started_on_the_work(person: Person, work: Workshop) -> None:
    result = resume(person, "1", PATH=client_on_path(person))

    assert result.returncode == 0, result.stderr
    directory, _, rest = result.stdout.partition("\n")
    assert directory == os.path.realpath(person.project)
    assert rest.startswith("1:Go on with the work of session session-1")
    assert f"> {WISH}" in rest
    assert "src/checkout.py (1x)" in rest
    assert work.marks(".resumed") == ["cx-001"]
    assert work.session("session-3").start("clear") == ""  # somebody has taken it up


def test_a_session_with_newer_work_is_continued_from_its_end(person: Person, work: Workshop) -> None:
    work.bash("pytest -q", code=1)
    work.compact()
    work.bash("pytest -q")
    work.transcript.prompt("Never touch the README.")
    work.edit("src/voucher.py")

    prompt = resume(person, "2", "--prompt").stdout

    assert "> Never touch the README." in prompt
    assert "src/voucher.py (1x)" in prompt
    assert "fails" not in prompt
    assert "> Never touch the README." in resume(person, "1", "--prompt").stdout  # of the same window


def test_work_saved_before_a_compaction_is_unchanged(person: Person, work: Workshop) -> None:
    work.transcript.boundary(150_000)
    work.transcript.prompt("Never touch the README.")
    assert "> Never touch the README." in resume(person, "1", "--prompt").stdout  # nothing newer is saved
    work.compact()
    assert "Never touch the README." not in resume(person, "1", "--prompt").stdout


def test_a_transcript_that_the_client_has_moved_is_read_where_it_is(person: Person, work: Workshop) -> None:
    work.transcript.prompt("Never touch the README.")
    path = work.transcript.path
    (path.parents[1] / "-project-worktree").mkdir()
    path.rename(path.parents[1] / "-project-worktree" / path.name)
    assert "> Never touch the README." in resume(person, "1", "--prompt").stdout


def test_another_sessions_words_are_not_handed_over(person: Person, work: Workshop) -> None:
    other = Workshop(person.root, person.home / "other", person.client / "projects" / "-other")
    other.transcript.prompt("Drop the database." * 200)
    prompt = resume(person, "1", "--prompt").stdout
    assert f"> {WISH}" in prompt
    assert "Drop" not in prompt
    work.transcript.path.write_bytes(other.transcript.path.read_bytes())
    other.transcript.path.unlink()
    assert resume(person, "1", "--prompt").stdout == prompt


def test_without_stored_words_the_clients_summary_is_handed_over(person: Person, work: Workshop) -> None:
    person.configure("checkpoint.include_prompts = false")
    work.bash("pytest -q", code=1)
    work.compact()
    work.transcript.boundary(150_000)
    work.transcript.summary("Vouchers were added.")
    work.bash("pytest -q")
    prompt = resume(person, "2", "--prompt").stdout
    assert "Vouchers were added." in prompt
    assert "fails" not in prompt


@pytest.mark.skipif(os.name == "nt", reason="a script on PATH is no program there")
def test_naming_any_of_a_sessions_checkpoints_resumes_its_newest(person: Person, work: Workshop) -> None:
    work.compact()
    resume(person, "1", PATH=client_on_path(person))
    assert work.marks(".resumed") == ["cx-001", "cx-002"]
    assert work.session("session-3").start("clear") == ""


@pytest.mark.skipif(os.name == "nt", reason="names a POSIX shell's command")
@pytest.mark.parametrize(("arguments", "environ"), [(["--print"], {}), ([], {"CLAUDE_CODE_SESSION_ID": "session-9"})])
def test_the_command_can_be_printed(
    person: Person, work: Workshop, arguments: list[str], environ: Mapping[str, str]
) -> None:
    path = client_on_path(person)
    result = resume(person, "1", *arguments, **environ, PATH=path)

    (command,) = result.stdout.splitlines()
    assert command.endswith('&& claude "$(~/.claude/tidegauge/bin/tidegauge resume 1 --prompt)"')
    assert work.marks(".resumed") == []
    prompt = resume(person, "1", "--prompt").stdout
    assert f"> {WISH}" in prompt


@pytest.mark.parametrize(
    ("arguments", "code", "expected"),
    [
        (["7"], 1, "there is no checkpoint 7 here"),
        (["9"], 1, "has no proof that your Tidegauge wrote it"),
        (["9", "--prompt"], 1, "has no proof that your Tidegauge wrote it"),
        (["9", "--print"], 1, "has no proof that your Tidegauge wrote it"),
        (["--print"], 1, "need the number of a checkpoint"),
        (["x"], 2, "expected a whole number, not 'x'"),
        (["1"], 1, "is not on your PATH"),
    ],
)
def test_an_impossible_resumption_is_reported_in_one_line(
    person: Person, work: Workshop, arguments: list[str], code: int, expected: str
) -> None:
    place(work, 9)
    result = resume(person, *arguments, PATH="/nowhere")
    assert (result.returncode, result.stdout) == (code, "")
    assert expected in result.stderr
    assert result.stderr.count("\n") == 1


def test_without_saved_work_it_says_so(person: Person) -> None:
    result = resume(person)
    assert (result.returncode, result.stdout) == (1, "")
    assert "nothing is saved of a session in" in result.stderr


def test_a_forged_checkpoint_cannot_steer_the_terminal(person: Person, work: Workshop) -> None:
    path = place(work, 9)
    checkpoint = json.loads(path.read_text())
    checkpoint["checkpoint_id"] = "\x1b[2Jcx-009"
    path.write_text(json.dumps(checkpoint))
    assert "\x1b" not in resume(person).stdout


def test_the_command_is_short_if_it_is_on_the_path(person: Person, work: Workshop, tmp_path: Path) -> None:
    (tmp_path / "on-path").mkdir()
    (tmp_path / "on-path" / "tidegauge").symlink_to("/bin/true")
    result = resume(person, PATH=f"{tmp_path / 'on-path'}{os.pathsep}{os.environ['PATH']}")
    assert result.stdout.splitlines()[-1].endswith(": tidegauge resume N")


@pytest.mark.parametrize("sign", [".git", ".claude"])
def test_a_parent_projects_work_is_not_listed(person: Person, work: Workshop, sign: str) -> None:
    inner = person.project / "inner"
    (inner / sign).mkdir(parents=True)
    (inner / "deep").mkdir()

    result = resume(person._replace(project=inner / "deep"))

    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr.startswith(f"tidegauge: nothing is saved of a session in {inner}/deep, or in the project")


def test_a_directorys_name_cannot_steer_the_terminal(person: Person, tmp_path: Path) -> None:
    odd = person._replace(project=tmp_path / "a\x1b[2J\u202e\nb")
    odd.project.mkdir()
    workshop = Workshop(odd.root, odd.project, odd.home / "projects")
    workshop.transcript.prompt(WISH)
    workshop.edit("src/checkout.py")
    workshop.compact()

    (line,) = resume(odd, "1", "--print").stdout.splitlines()

    assert line.isprintable()
    cd = line.partition(" && ")[0]
    there = subprocess.run(["bash", "-c", f"{cd} && pwd"], capture_output=True, text=True, check=True)
    assert there.stdout == f"{odd.project}\n"


def test_a_client_in_the_repository_is_not_started(person: Person, work: Workshop) -> None:
    program = person.project / "claude"
    program.write_text(CLIENT)
    program.chmod(0o755)

    result = resume(person, "1", PATH=f".{os.pathsep}/usr/bin{os.pathsep}/bin")

    assert (result.returncode, result.stdout) == (1, "")
    assert "is not on your PATH" in result.stderr
