"""The hooks of one project, in its own settings."""

import json

import pytest

from tests.installer.conftest import Home
from tests.installer.registered import expected, hooks_in


def test_a_project_gets_the_hooks_alone(home: Home) -> None:
    home.installed("--project")
    settings = home.project / ".claude" / "settings.local.json"

    assert list(json.loads(settings.read_bytes())) == ["hooks"]
    assert not home.settings.exists()


def test_a_project_gets_a_status_line_only_when_told(home: Home) -> None:
    home.installed("--project", "--statusline")

    assert "statusLine" in json.loads((home.project / ".claude" / "settings.local.json").read_bytes())


def test_hooks_that_work_everywhere_are_not_added_to_a_project(home: Home) -> None:
    home.installed()
    output = home.installed("--project")

    assert f"Warning: {home.settings} already has the hooks of Tidegauge" in output
    assert not (home.project / ".claude").exists()


def test_a_projects_copy_is_warned_about(home: Home) -> None:
    home.installed("--project")
    output = home.installed()

    assert f"Warning: {home.project}/.claude/settings.local.json already has the hooks" in output
    assert hooks_in(home.settings) == expected()


def test_a_project_can_leave_alone(home: Home) -> None:
    home.installed("--project")
    home.installed()
    personal = home.settings.read_bytes()
    home.installed("--project", "--uninstall")

    assert not (home.project / ".claude").exists()
    assert home.settings.read_bytes() == personal
    assert (home.root / "bin" / "monitor").exists()


def test_leaving_altogether_cleans_the_projects_too(home: Home) -> None:
    home.client.mkdir()
    before = home.tree()
    home.installed("--project")
    home.installed()
    home.installed("--uninstall")

    assert home.tree() == before


@pytest.mark.parametrize(("flag", "name"), [("--project", "settings.local.json"), ("--team", "settings.json")])
def test_a_projects_installation_is_repaired_in_the_project_alone(home: Home, flag: str, name: str) -> None:
    home.installed(flag)
    path = home.project / ".claude" / name
    whole = path.read_bytes()
    path.write_bytes(whole.replace(b'"Stop"', b'"Stopped"'))
    result = home.tidegauge("repair")

    assert (result.returncode, result.stderr) == (0, "")
    assert json.loads(path.read_bytes())["hooks"].keys() >= json.loads(whole)["hooks"].keys()
    assert "companions" not in home.tidegauge("doctor", "--fix").stdout
    assert not home.settings.exists()


def test_a_project_s_summary_names_the_way_to_undo_it_and_nothing_of_the_person_s_own(home: Home) -> None:
    home.installed()
    output = home.installed("--team")

    assert f"is reinstalled in {home.root} (for this project)\n" in output
    assert " uninstall --team, which lists what stays" in output
    assert "no status line" not in output
