"""The command's name in the person's own directory of commands."""

import os
from pathlib import Path

import pytest

from installer import link
from installer.layout import Layout
from tests.installer.conftest import Home


@pytest.fixture(params=[".local/bin", "bin"])
def directory(home: Home, request: pytest.FixtureRequest) -> Path:
    directory = home.path / str(request.param)
    directory.mkdir(parents=True)
    home.environ["PATH"] = f"{home.environ['PATH']}{os.pathsep}{directory}"
    return directory


def test_it_is_announced_made_and_taken_away(home: Home, directory: Path) -> None:
    before = home.tree()
    assert f"write {directory}/tidegauge\n" in home.installed("--dry-run")
    assert home.tree() == before
    home.installed()
    assert home.run(["tidegauge", "--version"], {}).stdout.startswith("tidegauge 0.")
    home.installed()
    home.installed("--uninstall")

    assert home.tree() == before


def test_another_tidegauge_is_never_overwritten(home: Home, directory: Path) -> None:
    other = directory / "tidegauge"
    other.write_text("#!/bin/sh\necho uv\n", encoding="utf-8")
    other.chmod(0o755)
    shown = home.installed()
    home.installed("--uninstall")

    assert other.read_text(encoding="utf-8") == "#!/bin/sh\necho uv\n"
    assert str(other) not in shown


def test_without_such_a_directory_on_the_path_one_line_says_how(home: Home) -> None:
    (home.path / "bin").mkdir()
    shown = home.installed()

    assert "To call it by name: mkdir -p ~/.local/bin && ln -s ~/.claude/tidegauge/bin/tidegauge ~/.local/bin/" in shown
    assert os.listdir(home.path / "bin") == []


def test_a_link_to_somewhere_else_is_not_ours(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "tidegauge").symlink_to("/elsewhere/tidegauge")
    layout = Layout(str(tmp_path / ".claude" / "tidegauge"), "")
    environ = {"HOME": str(tmp_path), "PATH": str(tmp_path / "bin")}
    link.remove(layout, environ)

    assert link.find(layout, environ) == []
    assert link.plan(layout, environ) is None
    assert os.path.islink(tmp_path / "bin" / "tidegauge")
