"""The commands that `tidegauge status` prints are about the session that it shows, wherever they are typed."""

from monitor.memory.memory import PivotState
from monitor.pivot import state as states
from tests.commands.person import Person
from tests.commands.status.test_status import FIRST, SECOND, output_of, session
from tests.transcripts import Transcript


def record_work_in(person: Person, transcript: Transcript) -> None:
    """Have the transcript say that its session worked in the person's project."""
    text = transcript.path.read_text()
    transcript.path.write_text(text.replace("/home/dev/shop", str(person.project)))


def away(person: Person) -> Person:
    """The person, in another directory."""
    (person.home / "elsewhere").mkdir()
    return person._replace(project=person.home / "elsewhere")


def test_a_pivot_command_is_for_the_shown_session(person: Person) -> None:
    transcript = session(person)
    for number in range(6):
        transcript.answer(150_000 + number, tool_use_ids=(f"toolu_1{number}",), text="make test")
        transcript.result(f"toolu_1{number}", "Exit code 2", failed=True)
    record_work_in(person, transcript)
    elsewhere = away(person)
    session(person, SECOND.replace("5b0c", "6c1d"), directory=elsewhere.project, tokens=20_000)

    lines = output_of(elsewhere, "--session", FIRST).splitlines()
    command = next(line.split()[2:] for line in lines if line.startswith("  run "))
    result = elsewhere.tidegauge(*command)

    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith("/compact Keep the task")
    assert (states.read(str(person.root), FIRST) or PivotState()).last_pivot is not None
    assert not (elsewhere.project / ".claude").exists()


def test_saved_work_is_continued_from_another_project(person: Person) -> None:
    transcript = session(person, tokens=175_000)
    record_work_in(person, transcript)
    person.use_tool(transcript, cwd=str(person.project))
    elsewhere = away(person)

    assert "tidegauge resume 1 --session 5b0c6a1e\n" in output_of(elsewhere, "--session", FIRST)
    assert "tidegauge resume 1\n" in output_of(person)
    command = elsewhere.tidegauge("resume", "1", "--session", "5b0c6a1e", "--print").stdout
    assert command.startswith(f"cd {person.project} && claude ")
    listing = elsewhere.tidegauge("resume", "--session", "5b0c6a1e").stdout
    assert "Fix the greeting" in listing
    assert listing.endswith("tidegauge resume N --session 5b0c6a1e\n")


def test_nothing_is_resumed_in_a_removed_directory(person: Person) -> None:
    session(person, tokens=175_000)  # which says that it worked in a directory that isn't there

    result = away(person).tidegauge("resume", "--session", FIRST)

    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr == f"tidegauge: the directory of session {FIRST} is gone: /home/dev/shop\n"
