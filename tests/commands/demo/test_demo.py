import re
from pathlib import Path

import pytest
from wcwidth import wcswidth

from tests.commands import person as persons
from tests.commands.doctor.test_doctor import contents
from tests.commands.person import Person
from tests.levels import FIRST, SPEAKING


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The output for a whole session."""
    person = persons.make(tmp_path_factory.mktemp("demo"))
    result = person.tidegauge("demo", "--tool-uses", "24", environ={"COLUMNS": "100"})
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_the_session_fills_up_and_every_level_is_reported(session: str) -> None:
    percentages = [int(match) for match in re.findall(r"^ +\d* +Opus 4.6 · .*? (\d+)%", session, re.MULTILINE)]
    assert percentages == sorted(percentages)
    assert percentages[-1] == 84
    assert percentages[0] < 10
    levels = re.findall(r"^ +│ CONTEXT WINDOW ([A-Z]+) — ", session, re.MULTILINE)
    assert list(dict.fromkeys(levels)) == [level.name for level in SPEAKING]
    assert "(assumed)" not in session
    assert "compaction due" in session
    assert session.endswith("\nAt 167,000 tokens the client compacts.\n")


def test_the_line_and_the_message_after_a_tool_use_agree(session: str) -> None:
    shown_and_told = r"Opus 4.6 · .*? (\d+)% ([A-Z]+) .*\n +│ ---.*\n +│ CONTEXT WINDOW ([A-Z]+) — (\d+)%"
    matches = re.findall(shown_and_told, session)
    assert matches
    assert all(
        line_level == level and int(used) + int(remaining) == 100 for used, line_level, level, remaining in matches
    )


def test_piped_output_is_plain_and_fits_the_columns(person: Person) -> None:
    result = person.tidegauge("demo", "--tool-uses", "4", environ={"COLUMNS": "60"})

    lines = [line for line in result.stdout.splitlines() if "Opus 4.6 · " in line]
    assert "\033" not in result.stdout
    assert len(lines) == 5
    assert max(map(wcswidth, lines)) <= 60


def test_the_persons_own_configuration_is_played(person: Person) -> None:
    first = f"[levels.{FIRST.name.lower()}]\nremaining = 90\nmax_tokens = 450000\nevery = 2\n"
    person.configure(f"{first}[window]\nsize = 500000\n")

    result = person.tidegauge("demo", "--tool-uses", "10")

    assert "A made-up session of 500,000 tokens" in result.stdout
    message = rf"^ +(\d+)  .*\n +│ ---.*\n +│ CONTEXT WINDOW {FIRST.name} "
    assert re.findall(message, result.stdout, re.MULTILINE) == ["2", "4", "6"]


def test_a_silenced_monitor_stays_silent(person: Person) -> None:
    person.configure("[hooks]\ncontext_warnings = false\n")

    result = person.tidegauge("demo", "--tool-uses", "3")

    assert result.returncode == 0
    assert "│" not in result.stdout


def test_a_window_can_be_chosen(person: Person) -> None:
    assert "/1M" in person.tidegauge("demo", "--tool-uses", "2", "--window", "1000000").stdout


def test_nothing_of_the_persons_files_is_changed(person: Person, tmp_path: Path) -> None:
    bridges = tmp_path / "bridges"
    bridges.mkdir()
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    person.configure(f"bridge.directory = '{bridges}'\ncheckpoint.directory = '{bridges}'\n")
    before = contents(tmp_path)

    result = person.tidegauge("demo", "--tool-uses", "6", environ={"TMPDIR": str(scratch)})

    assert result.returncode == 0, result.stderr
    assert contents(tmp_path) == before
    assert list(scratch.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--tool-uses", "0"], "--tool-uses 0: it must be between 1 and 1,000"),
        (["--window", "5"], "--window 5: it must be between 1,000 and 2,000,000"),
    ],
)
def test_a_number_out_of_range_is_answered_with_one_line(person: Person, arguments: list[str], expected: str) -> None:
    result = person.tidegauge("demo", *arguments)

    assert (result.returncode, result.stdout, result.stderr) == (2, "", f"tidegauge: {expected}\n")
