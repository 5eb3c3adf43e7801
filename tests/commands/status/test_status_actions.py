"""`tidegauge status`, asked to do something: a pivot, a reset, a level."""

import json
import os
import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest

from monitor.pivot import state as states
from tests.commands.person import Person
from tests.commands.status.test_status import FIRST, output_of, refused, session

STRATEGIES = ("chunk", "compress", "export", "spawn")


def state(person: Person) -> dict[str, Any]:
    result = states.read(str(person.root), FIRST)
    assert result is not None
    return dict(json.loads(msgspec.json.encode(result)))


def test_with_nothing_to_split_a_new_session_is_offered(person: Person) -> None:
    session(person)
    assert output_of(person, "--pivot", "chunk").startswith("There is nothing to split")
    assert state(person)["last_pivot"]["files"] == []


def test_a_compression_prints_its_line_and_writes_no_file(person: Person) -> None:
    session(person)
    assert output_of(person, "--pivot", "compress").startswith("/compact Keep the task")
    assert (state(person)["last_pivot"]["strategy"], state(person)["last_pivot"]["files"]) == ("compress", [])
    assert not (person.project / ".claude").exists()


@pytest.mark.parametrize("name", ["export", "spawn"])
def test_a_pivot_is_carried_out_and_noted(person: Person, name: str) -> None:
    session(person)

    text = output_of(person, "--pivot", name)

    last = state(person)["last_pivot"]
    assert (last["strategy"], last["trigger"]) == (name, "person")
    assert all(Path(path).is_file() for path in last["files"])
    assert Path(last["files"][0]).parent.name == f"001-{name}"
    assert all(path in text or path.endswith(".json") for path in last["files"])
    assert f"last pivot      {name} at " in output_of(person)


def test_a_pivot_as_json(person: Person) -> None:
    session(person)

    outcome = json.loads(output_of(person, "--pivot", "export", "--json"))

    assert outcome["strategy"] == "export"
    assert [os.path.basename(file["path"]) for file in outcome["files"]][:2] == ["transcript.jsonl.gz", "session.md"]


def test_pivots_overwrite_nothing(person: Person) -> None:
    session(person)
    for _ in range(3):
        output_of(person, "--pivot", "export")

    folder = person.project / ".claude" / "tidegauge" / "exports"
    assert sorted(path.name for path in folder.iterdir()) == ["001-export", "002-export", "003-export"]


def test_another_name_is_refused(person: Person) -> None:
    code, line = refused(person, "--pivot", "nope")

    assert code == 2
    assert all(name in line for name in STRATEGIES)


def test_a_removed_project_is_one_line(person: Person) -> None:
    missing = person.home / "gone"
    missing.mkdir()
    session(person, directory=missing)
    missing.rmdir()
    away = person._replace(project=person.home)

    code, line = refused(away, "--session", FIRST, "--pivot", "export", CLAUDE_PROJECT_DIR=str(missing))

    assert code == 1
    assert "is gone" in line


@pytest.mark.parametrize("strategy", ["export", "spawn"])
def test_what_cannot_be_written_is_one_line(person: Person, strategy: str) -> None:
    session(person)
    (person.project / ".claude").write_text("a file in the way")

    code, line = refused(person, "--pivot", strategy)

    assert code == 1
    assert os.path.join(os.path.realpath(person.project), ".claude") in line
    assert states.read(str(person.root), FIRST) is None


def test_a_link_out_of_the_project_is_one_line(person: Person) -> None:
    session(person)
    (person.project / ".claude").symlink_to(person.home)

    code, line = refused(person, "--pivot", "export")

    assert code == 1
    assert "leads out of the project" in line


def test_a_session_without_a_transcript_has_nothing_to_export(person: Person) -> None:
    code, line = refused(person, "--pivot", "export", CLAUDE_CODE_SESSION_ID=FIRST)

    assert (code, line) == (1, f"session {FIRST} has no transcript to export")


def test_a_reset_forgets_past_messages(person: Person) -> None:
    transcript = session(person, tokens=158_000)
    person.use_tool(transcript)
    assert state(person)["thresholds_triggered"] == ["warning", "alert", "critical"]
    assert state(person)["warnings_shown"] == 1

    text = output_of(person, "--reset")

    assert text == f"session {FIRST}: reset; thresholds reached so far: 50%, 70%, 85%\n"
    assert (state(person)["thresholds_triggered"], state(person)["warnings_shown"]) == ([], 0)


def test_a_reset_of_nothing_is_fine(person: Person) -> None:
    session(person)

    assert "nothing to reset" in output_of(person, "--reset")


def pivot_level(person: Person) -> str:
    return str(json.loads(output_of(person, "--json"))["overview"]["ladders"]["pivot"])


def test_critical_is_moved_and_applies_at_once(person: Person) -> None:
    session(person, tokens=156_000)
    assert pivot_level(person) == "alert"

    text = output_of(person, "--set-critical", "78")

    file = person.home / "config" / "config.toml"
    assert text.splitlines() == [
        f"pivot.levels.critical = 78 in {file}",
        "Exports are recommended from 78% on, where automatic compaction is off.",
    ]
    assert tomllib.loads(file.read_text()) == {"pivot": {"levels": {"critical": 78}}}
    assert pivot_level(person) == "critical"


def test_nothing_is_promised_if_the_projects_file_overrides_it(person: Person) -> None:
    folder = person.project / ".claude"
    folder.mkdir(exist_ok=True)
    (folder / "tidegauge.toml").write_text("pivot.levels.critical = 80")
    session(person, tokens=156_000)

    text = output_of(person, "--set-critical", "75")

    assert text.splitlines()[1:] == ["but the project's file says 80, which takes precedence here"]


def test_setting_critical_keeps_the_persons_other_settings(person: Person) -> None:
    person.configure("# mine\n[pivot.levels]\nalert = 60 # early\n")

    output_of(person, "--set-critical", "65")

    text = (person.home / "config" / "config.toml").read_text()
    assert text == "# mine\n[pivot.levels]\nalert = 60 # early\ncritical = 65\n"


@pytest.mark.parametrize(
    "number", ["0", "-1", "70", "95", "96", "101", "1000000000000", "8.5", "x", "", "\u0668\u0665x"]
)
def test_a_number_out_of_range_is_refused(person: Person, number: str) -> None:
    code, line = refused(person, f"--set-critical={number}")

    assert code == 2
    assert "set-critical" in line
    assert not (person.home / "config").exists()


def test_the_bounds_are_those_in_force(person: Person) -> None:
    person.configure("[pivot.levels]\nalert = 75\ncritical = 80\nemergency = 82\n")

    code, line = refused(person, "--set-critical", "75")

    assert (code, line) == (
        2,
        "--set-critical: expected a whole percentage above 75 and below 82, not 75",
    )


def test_a_broken_configuration_is_not_overwritten(person: Person) -> None:
    person.configure("not toml")

    code, _ = refused(person, "--set-critical", "80")

    assert code == 1
    assert (person.home / "config" / "config.toml").read_text() == "not toml"


@pytest.mark.parametrize("more", [["--reset"], ["--set-critical", "80"]])
def test_actions_cannot_be_combined(person: Person, more: list[str]) -> None:
    code, line = refused(person, "--pivot", "export", *more)

    assert code == 2
    assert "not allowed with" in line
