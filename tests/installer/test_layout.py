import contextlib
from pathlib import Path

import pytest

from installer import layout
from installer.install_error import InstallError


def test_the_clients_own_directory_comes_first(tmp_path: Path) -> None:
    result = layout.find({"HOME": "/nowhere", "CLAUDE_CONFIG_DIR": str(tmp_path / "c")})

    assert result.root == str(tmp_path / "c" / "tidegauge")
    assert result.settings == str(tmp_path / "c" / "settings.json")


@pytest.mark.parametrize("chosen", [{}, {"CLAUDE_CONFIG_DIR": ""}])
def test_the_default_directory_is_in_the_home(tmp_path: Path, chosen: dict[str, str]) -> None:
    result = layout.find({"HOME": str(tmp_path), **chosen})

    assert result.root == str(tmp_path / ".claude" / "tidegauge")
    assert result.settings == result.personal_settings == str(tmp_path / ".claude" / "settings.json")


def test_a_project_has_its_own_settings(tmp_path: Path) -> None:
    result = layout.find({"HOME": str(tmp_path)}, project="/p")

    assert result.settings == "/p/.claude/settings.local.json"
    assert layout.find({"HOME": str(tmp_path)}, project="/p", team=True).settings == "/p/.claude/settings.json"
    assert result.personal_settings == str(tmp_path / ".claude" / "settings.json")


@pytest.mark.parametrize(
    ("environ", "reason"),
    [
        ({}, "HOME is not set"),
        ({"HOME": ""}, "HOME is not set"),
        ({"HOME": "here"}, "HOME is 'here'"),
        ({"HOME": "/nowhere/at/all"}, "which is not a directory"),
        ({"CLAUDE_CONFIG_DIR": "here"}, "CLAUDE_CONFIG_DIR is 'here': it must be an absolute path"),
        ({"CLAUDE_CONFIG_DIR": "/a\udcff"}, "not valid UTF-8"),
    ],
)
def test_a_home_that_cannot_be_one_is_refused(environ: dict[str, str], reason: str) -> None:
    with pytest.raises(InstallError, match=reason):
        layout.find(environ)


@pytest.mark.parametrize("team", [False, True])
@pytest.mark.parametrize("link", [".claude", ".claude/settings.json", ".claude/settings.local.json"])
def test_a_projects_settings_are_never_a_link_out_of_it(tmp_path: Path, link: str, *, team: bool) -> None:
    """A repository may bring a link to a file that it can't read itself."""
    home, project, private = (tmp_path / name for name in ("home", "project", "private"))
    for directory in (home, project, private):
        directory.mkdir()
    (project / link).parent.mkdir(exist_ok=True)
    (project / link).symlink_to(private if link == ".claude" else private / "config.json")
    name = "settings.json" if team else "settings.local.json"
    if link in {".claude", f".claude/{name}"}:
        with pytest.raises(InstallError, match="leads out of the project"):
            layout.find({"HOME": str(home)}, project=str(project), team=team)
    else:
        layout.find({"HOME": str(home)}, project=str(project), team=team)


@pytest.mark.parametrize(("size", "is_refused"), [(512 << 10, False), ((512 << 10) + 1, True)])
def test_oversized_project_settings_are_refused(tmp_path: Path, size: int, *, is_refused: bool) -> None:
    """A repository may bring 60,000 hooks, which take seconds."""
    (tmp_path / "home").mkdir()
    settings = tmp_path / "project" / ".claude" / "settings.local.json"
    settings.parent.mkdir(parents=True)
    settings.write_text("{" + " " * (size - 2) + "}")
    expected = pytest.raises(InstallError, match=r"settings\.local\.json is larger than 512 KiB")

    with expected if is_refused else contextlib.nullcontext():
        layout.find({"HOME": str(tmp_path / "home")}, project=str(tmp_path / "project"))


def test_the_home_is_no_project(tmp_path: Path) -> None:
    with pytest.raises(InstallError, match="leave --project out"):
        layout.find({"HOME": str(tmp_path)}, project=str(tmp_path))


def test_the_interpreter_is_where_venv_puts_it() -> None:
    assert layout.python_of("/e", windows=False) == "/e/bin/python"
    assert layout.python_of("/e", windows=True) == "/e/Scripts/python.exe"


@pytest.mark.parametrize(
    ("environ", "powershell"),
    [({}, True), ({"CLAUDE_CODE_GIT_BASH_PATH": "C:\\bash.exe"}, False), ({"PATH": "/usr/bin"}, True)],
)
def test_on_windows_without_git_bash_commands_are_for_powershell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, environ: dict[str, str], *, powershell: bool
) -> None:
    monkeypatch.setattr("installer.layout.sys.platform", "win32")
    monkeypatch.setattr("installer.layout.shutil.which", lambda _name, **_where: None)

    assert layout.find({"USERPROFILE": str(tmp_path), **environ}).powershell is powershell


def test_a_git_on_path_brings_its_bash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("installer.layout.sys.platform", "win32")
    monkeypatch.setattr("installer.layout.shutil.which", lambda _name, **_where: "C:\\Git\\cmd\\git.exe")

    assert layout.find({"USERPROFILE": str(tmp_path)}).powershell is False
