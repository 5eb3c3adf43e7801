"""The hooks of one project, in its own settings."""

import json
import shutil

import pytest

from tests.installer.conftest import Home
from tests.installer.registered import expected, hooks_in


def test_a_project_gets_only_the_hooks(home: Home) -> None:
    home.installed("--project")
    settings = home.project / ".claude" / "settings.local.json"

    assert list(json.loads(settings.read_bytes())) == ["hooks"]
    assert not home.settings.exists()


def test_a_project_gets_a_status_line_only_on_request(home: Home) -> None:
    home.installed("--project", "--statusline")

    assert "statusLine" in json.loads((home.project / ".claude" / "settings.local.json").read_bytes())


def test_hooks_that_work_everywhere_are_not_added_to_a_project(home: Home) -> None:
    home.installed()
    output = home.installed("--project")

    assert f"Warning: {home.settings} already has the hooks of Tidegauge" in output


def test_missing_and_unneeded_settings_are_not_mentioned_further(home: Home) -> None:
    home.installed()
    output = home.installed("--project", "--dry-run")

    path = home.project / ".claude" / "settings.local.json"
    assert f"{path} isn't needed." in output
    assert f"nothing: there is no {path} yet" in output
    assert "as it is" not in output
    assert not path.exists()
    assert not (home.project / ".claude").exists()


def test_a_projects_duplicate_brings_a_warning(home: Home) -> None:
    home.installed("--project")
    output = home.installed()

    assert f"Warning: {home.project}/.claude/settings.local.json already has the hooks" in output
    assert hooks_in(home.settings) == expected()


def test_a_project_can_be_uninstalled_alone(home: Home) -> None:
    home.installed("--project")
    home.installed()
    personal = home.settings.read_bytes()
    home.installed("--project", "uninstall")

    assert not (home.project / ".claude").exists()
    assert home.settings.read_bytes() == personal
    assert (home.root / "bin" / "monitor").exists()


def test_a_full_uninstallation_cleans_the_projects_too(home: Home) -> None:
    home.client.mkdir()
    before = home.tree()
    home.installed("--project")
    home.installed()
    home.installed("uninstall")

    assert home.tree() == before


@pytest.mark.parametrize(("flag", "name"), [("--project", "settings.local.json"), ("--team", "settings.json")])
def test_a_projects_installation_is_repaired_only_in_the_project(home: Home, flag: str, name: str) -> None:
    home.installed(flag)
    path = home.project / ".claude" / name
    whole = path.read_bytes()
    path.write_bytes(whole.replace(b'"Stop"', b'"Stopped"'))
    result = home.tidegauge("repair")

    assert (result.returncode, result.stderr) == (0, "")
    assert json.loads(path.read_bytes())["hooks"].keys() >= json.loads(whole)["hooks"].keys()
    assert "companions" not in home.tidegauge("doctor", "--fix").stdout
    assert not home.settings.exists()


def test_a_projects_summary_names_the_undo_command_and_no_personal_files(home: Home) -> None:
    home.installed()
    output = home.installed("--team")

    assert f"is reinstalled in {home.root} (for this project)\n" in output
    assert " uninstall --team, which lists what stays" in output
    assert "no status line" not in output


@pytest.mark.parametrize(
    ("contents", "reason"),
    [
        (b'{"a": NaN}', ":1:7: NaN is not JSON"),
        (b'{"a":', ":1:6: "),
        (b"{" + b" " * (512 << 10) + b"}", " is larger than 512"),
    ],
)
def test_a_repair_names_a_repositorys_odd_settings(home: Home, contents: bytes, reason: str) -> None:
    home.installed("--team")
    path = home.project / ".claude" / "settings.json"
    path.write_bytes(contents)
    result = home.tidegauge("repair")

    assert (result.returncode, path.read_bytes()) == (1, contents)
    assert f"{path}{reason}" in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("arguments", [("repair",), ("uninstall", "--yes"), ("uninstall", "--team", "--yes")])
@pytest.mark.parametrize("link", [".claude", ".claude/settings.json"])
def test_a_link_later_planted_by_a_repository_is_not_followed(
    home: Home, link: str, arguments: tuple[str, ...]
) -> None:
    home.installed("--team")
    private = home.project.parent / "private"
    private.mkdir()
    (private / "settings.json").write_text('{"token": 1}')
    shutil.rmtree(home.project / ".claude")
    (home.project / link).parent.mkdir(exist_ok=True)
    (home.project / link).symlink_to(private if link == ".claude" else private / "settings.json")
    result = home.tidegauge(*arguments)

    assert "settings.json leads out of the project" in result.stderr
    assert [path.name for path in private.iterdir()] == ["settings.json"]
    assert (private / "settings.json").read_text() == '{"token": 1}'
    assert not list((home.project / ".claude").glob("*.bak"))
