import json
from pathlib import Path

import pytest

from commands.doctor.installation import registration
from commands.environment.environment import environment_at
from installer import choices
from installer.settings import record
from installer.settings.record import NOTHING, Entry
from tests.commands.person import Person, findings


def test_broken_settings_are_named_with_line_and_column(person: Person) -> None:
    person.settings.write_text('{\n  "hooks": {},\n  // mine\n}\n')

    result = person.doctor()

    assert result.returncode == 1
    assert f"{person.settings}: line 3, column 3: " in result.stdout
    assert "the client ignores all of it" in result.stdout


def test_settings_with_a_byte_order_mark_are_read(person: Person) -> None:
    person.settings.write_bytes(b"\xef\xbb\xbf" + person.settings.read_bytes())

    assert person.finding("user settings").status == "ok"


@pytest.mark.parametrize(
    ("text", "subject"), [("[]", "user settings"), ("3", "user settings"), ("", "PostToolUse entry")]
)
def test_settings_of_another_shape_do_not_break_doctor(person: Person, text: str, subject: str) -> None:
    person.settings.write_text(text)

    assert person.finding(subject).status == "wrong"


def test_a_missing_event_is_an_error(person: Person) -> None:
    hooks = json.loads(person.settings.read_text())["hooks"]
    del hooks["PostToolUseFailure"]
    person.change_settings(hooks=hooks)

    assert person.finding("PostToolUse entry").status == "ok"
    assert person.finding("PostToolUseFailure entry").status == "wrong"


def test_a_matcher_that_leaves_tools_out_is_a_warning(person: Person) -> None:
    hooks = json.loads(person.settings.read_text())["hooks"]
    hooks["PostToolUse"][0]["matcher"] = "Bash"
    person.change_settings(hooks=hooks)

    assert person.finding("PostToolUse entry") == ("warning", f"its matcher 'Bash' leaves tools out: {person.settings}")


def test_entries_in_a_projects_settings_are_found(person: Person) -> None:
    hooks = json.loads(person.settings.read_text())["hooks"]
    person.change_settings(hooks={})
    person.write_project_settings("settings.local.json", hooks=hooks)

    finding = person.finding("PostToolUse entry")

    assert finding == ("ok", f"ours, in {person.project}/.claude/settings.local.json")


@pytest.mark.parametrize("name", ["settings.json", "settings.local.json"])
def test_disabled_hooks_are_an_error_in_any_file(person: Person, name: str) -> None:
    person.write_project_settings(name, disableAllHooks=True)

    result = person.doctor()

    assert result.returncode == 1
    assert f"disableAllHooks is true in {person.project}/.claude/{name}" in result.stdout


def test_the_file_of_highest_precedence_decides_on_disabled_hooks(person: Person) -> None:
    person.change_settings(disableAllHooks=True)
    person.write_project_settings("settings.local.json", disableAllHooks=False)

    assert person.finding("hooks allowed").status == "ok"


def test_a_projects_status_line_hides_ours(person: Person) -> None:
    person.write_project_settings(statusLine={"type": "command", "command": "true"})

    finding = person.finding("statusLine entry")

    assert finding.status == "warning"
    assert f"{person.project}/.claude/settings.json sets another one" in finding.message


@pytest.mark.parametrize("value", [None, {"type": "command", "command": "their-line"}])
def test_a_status_line_that_is_not_ours_is_a_warning(person: Person, value: object) -> None:
    person.change_settings(statusLine=value)

    assert person.finding("statusLine entry").status == "warning"


def test_a_status_line_left_out_on_purpose_is_no_warning(person: Person) -> None:
    person.change_settings(statusLine=None)
    choices.save(person.layout, choices.load(person.layout)._replace(status_line=False))

    finding = person.finding("statusLine entry")

    assert (finding.status, "--statusline" in finding.message) == ("ok", True)


def test_a_missing_launcher_is_an_error(person: Person) -> None:
    (person.root / "bin" / "statusline.py").unlink()

    assert person.finding("launchers") == ("wrong", f"there is no {person.root}/bin/statusline.py")


def test_a_launcher_that_is_not_executable_is_an_error(person: Person) -> None:
    (person.root / "bin" / "monitor").chmod(0o644)

    assert person.finding("launchers") == ("wrong", f"{person.root}/bin/monitor may not be executed")


def test_a_launcher_of_another_version_is_a_warning(person: Person) -> None:
    (person.root / "bin" / "monitor").write_text("#!/bin/sh\nexit 0\n")

    finding = person.finding("launchers")

    assert finding == ("warning", f"{person.root}/bin/monitor is of another version than this program")


def test_another_client_directory_in_the_environment_is_a_warning(person: Person) -> None:
    environment = environment_at(str(person.root), str(person.project), {"CLAUDE_CONFIG_DIR": "/elsewhere"}, 0.0)

    (finding,) = registration.client_directory(environment)

    assert finding.status == "warning"
    assert finding.message.startswith("a client started from here uses /elsewhere")


def hooks_of(person: Person) -> dict[str, list[dict[str, object]]]:
    hooks: dict[str, list[dict[str, object]]] = json.loads(person.settings.read_text())["hooks"]
    return hooks


@pytest.mark.parametrize(
    "event", ["PreToolUse", "SubagentStart", "SubagentStop", "UserPromptSubmit", "PreCompact", "SessionStart"]
)
def test_each_missing_event_of_the_configuration_is_reported(person: Person, event: str) -> None:
    person.change_settings(hooks={name: groups for name, groups in hooks_of(person).items() if name != event})

    finding = person.finding(f"{event} entry")

    assert finding.status == "wrong"
    tools = " for Agent|Task|Skill" if event == "PreToolUse" else ""
    assert finding.message.startswith(f"no settings file has our {event} entry{tools} (hooks.")


def test_one_missing_entry_of_an_event_is_named_by_its_tools(person: Person) -> None:
    hooks = hooks_of(person)
    del hooks["PostToolUse"][1]
    person.change_settings(hooks=hooks)

    assert person.finding("PostToolUse entry") == (
        "wrong",
        "no settings file has our PostToolUse entry for Write|Edit|MultiEdit|NotebookEdit (hooks.staleness is on)",
    )


def test_a_part_switched_on_is_reported_missing_until_the_installer_has_run(person: Person) -> None:
    hooks = hooks_of(person)
    hooks["PreToolUse"] = hooks["PreToolUse"][:1]
    person.change_settings(hooks=hooks)

    assert person.finding("PreToolUse entry") == (
        "wrong",
        "no settings file has our PreToolUse entry for Read|Grep|Glob|Bash (hooks.read_guard is on)",
    )


def test_entries_may_be_in_several_files(person: Person) -> None:
    hooks = hooks_of(person)
    person.write_project_settings(hooks={"PostToolUse": [hooks["PostToolUse"].pop()]})
    person.change_settings(hooks=hooks)

    assert {finding.status for finding in findings(person.doctor("-v").stdout)["PostToolUse entry"]} == {"ok"}


def test_a_missing_launcher_of_the_writing_tools_is_an_error(person: Person) -> None:
    (person.root / "bin" / "monitor-writes").unlink()

    assert person.finding("launchers") == ("wrong", f"there is no {person.root}/bin/monitor-writes")


def install_for_a_project(person: Person, directory: Path) -> None:
    """Register as `install --project` does, with nothing in the person's own settings."""
    hooks = json.loads(person.settings.read_text())["hooks"]
    person.settings.unlink()
    path = directory / ".claude" / "settings.local.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"hooks": hooks}))
    record.save(person.layout, {str(path): Entry(NOTHING, None, "")})


def test_an_installation_for_this_project_is_judged_as_such(person: Person) -> None:
    install_for_a_project(person, person.project)
    by_subject = findings(person.doctor("-v").stdout)

    assert "user settings" not in by_subject
    assert by_subject["statusLine entry"] == [("ok", "none: the installation is for projects, without it")]
    assert {status for status, _ in by_subject["PostToolUse entry"]} == {"ok"}


def test_an_installation_for_another_project_is_distinguished_from_a_broken_one(person: Person, tmp_path: Path) -> None:
    install_for_a_project(person, tmp_path / "other")
    by_subject = findings(person.doctor("-v").stdout)

    assert [status for status, _ in by_subject["hook entries"]] == ["warning"]
    assert f"not for {person.project}: Tidegauge is installed for {tmp_path}/other" in by_subject["hook entries"][0][1]
    assert "PostToolUse entry" not in by_subject


def test_a_broken_settings_file_is_one_problem(person: Person) -> None:
    person.settings.write_text("{")
    result = person.doctor("--json")

    wrong = [finding["subject"] for finding in json.loads(result.stdout)["findings"] if finding["status"] != "ok"]
    assert [subject for subject in wrong if subject in ("user settings", "hook entries") or "entry" in subject] == [
        "user settings"
    ]
