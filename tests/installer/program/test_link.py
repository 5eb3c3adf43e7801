"""The command's name in the person's own directory of commands."""

import os
from contextlib import ExitStack
from pathlib import Path

import pytest

from installer.layout import Layout
from installer.messages import summary
from installer.program import link
from tests.installer.conftest import Home


@pytest.fixture(params=[".local/bin", "bin"])
def directory(home: Home, request: pytest.FixtureRequest) -> Path:
    directory = home.path / str(request.param)
    directory.mkdir(parents=True)
    home.environ["PATH"] = f"{home.environ['PATH']}{os.pathsep}{directory}"
    return directory


def test_the_link_is_announced_created_and_removed(home: Home, directory: Path) -> None:
    before = home.tree()
    assert f"write {directory}/tidegauge\n" in home.installed("--dry-run")
    assert home.tree() == before
    home.installed()
    assert home.run(["tidegauge", "--version"], {}).stdout.startswith("tidegauge 0.")
    home.installed()
    home.installed("uninstall")

    assert home.tree() == before


def test_another_tidegauge_is_never_overwritten(home: Home, directory: Path) -> None:
    other = directory / "tidegauge"
    other.write_text("#!/bin/sh\necho uv\n", encoding="utf-8")
    other.chmod(0o755)
    output = home.installed()
    home.installed("uninstall")

    assert other.read_text(encoding="utf-8") == "#!/bin/sh\necho uv\n"
    assert str(other) not in output


def test_without_a_directory_on_the_path_one_line_says_how(home: Home) -> None:
    (home.path / "bin").mkdir()
    home.environ["SHELL"] = "/bin/sh"
    output = home.installed()

    (line,) = [line for line in output.splitlines() if line.startswith("To call it by name in a new shell: ")]
    home.run(["sh", "-c", line.partition(": ")[2]], {})
    shell = home.run(["sh", "-c", ". ~/.profile; tidegauge --version"], {})
    assert shell.stdout.startswith("tidegauge 0.")
    assert os.listdir(home.path / "bin") == []


def test_uvxs_temporary_command_does_not_count(home: Home, directory: Path, tmp_path: Path) -> None:
    throw_away = tmp_path / "archive" / "bin" / "tidegauge"
    throw_away.parent.mkdir(parents=True)
    throw_away.write_text("#!/bin/sh\n")
    throw_away.chmod(0o755)
    (tmp_path / "archive" / "pyvenv.cfg").touch()
    home.environ["PATH"] = f"{throw_away.parent}{os.pathsep}{home.environ['PATH']}"
    home.installed()

    assert os.readlink(directory / "tidegauge") == f"{home.root}/bin/tidegauge"


@pytest.mark.parametrize(
    ("shell", "profile"), [("/bin/zsh", "~/.zshrc"), ("/usr/bin/bash", "~/.bashrc"), ("", "~/.profile")]
)
def test_the_advice_names_the_persons_shell_file(home: Home, shell: str, profile: str) -> None:
    output = home.install("--dry-run", SHELL=shell).stdout

    assert output.count("To call it by name") == 0
    line = f""" && echo 'export PATH="$HOME/.local/bin:$PATH"' >>{profile}\n"""
    assert home.install(SHELL=shell).stdout.endswith(line)


def test_on_windows_the_advice_is_for_powershell(monkeypatch: pytest.MonkeyPatch) -> None:
    layout = Layout("C:\\Users\\Ann\\.claude\\tidegauge", "", windows=True)

    assert summary.link_command(layout, {}).startswith("[Environment]::SetEnvironmentVariable('Path', ")


def test_a_moved_home_is_repaired_and_uninstalled_completely(home: Home, tmp_path: Path) -> None:
    (home.path / "bin").mkdir()
    home.environ["PATH"] += f"{os.pathsep}{home.path / 'bin'}"
    home.write(b'{"statusLine": {"type": "command", "command": "echo mine"}}')
    before = home.tree()
    home.installed()
    moved = tmp_path / "moved"
    home.path.rename(moved)
    there = Home.__new__(Home)
    there.__dict__ |= vars(home) | {"path": moved, "client": moved / ".claude", "project": moved / "project"}
    there.settings, there.root = there.client / "settings.json", there.client / "tidegauge"
    there.environ = home.environ | {"HOME": str(moved), "PATH": f"{home.environ['PATH']}{os.pathsep}{moved / 'bin'}"}
    repaired = there.tidegauge("repair")

    assert (repaired.returncode, repaired.stderr) == (0, "")
    assert os.readlink(moved / "bin" / "tidegauge") == f"{there.root}/bin/tidegauge"
    assert str(home.path) not in (there.client / "commands" / "token-status.md").read_text()
    assert str(home.path) not in there.settings.read_text()
    assert there.tidegauge("uninstall", "--yes").returncode == 0
    assert there.tree() == before


def test_a_link_to_somewhere_else_is_not_ours(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "tidegauge").symlink_to("/elsewhere/tidegauge")
    layout = Layout(str(tmp_path / ".claude" / "tidegauge"), "")
    environ = {"HOME": str(tmp_path), "PATH": str(tmp_path / "bin")}

    assert link.find(layout, environ) == []
    assert link.plan(layout, environ) is None


def test_a_dangling_link_is_renewed_even_if_the_shell_does_not_find_it(tmp_path: Path) -> None:
    directory = tmp_path / ".local" / "bin"
    directory.mkdir(parents=True)
    layout = Layout(str(tmp_path / ".claude" / "tidegauge"), str(tmp_path / ".claude" / "settings.json"), windows=False)
    environ = {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"}
    assert link.plan(layout, environ) is None

    (directory / "tidegauge").symlink_to("/old/home/.claude/tidegauge/bin/tidegauge")

    assert link.plan(layout, environ) == str(directory / "tidegauge")


@pytest.mark.parametrize("step", ["unlink", "symlink", None])
def test_an_interruption_at_any_step_restores_the_old_state(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str | None
) -> None:
    layout = Layout(str(tmp_path / "tidegauge"), "")
    dead = tmp_path / "old" / "tidegauge" / "bin" / "tidegauge"
    path = tmp_path / "bin" / "tidegauge"
    path.parent.mkdir()
    path.symlink_to(dead)

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    def place() -> None:
        with ExitStack() as undo:
            with monkeypatch.context() as patched:
                if step is not None:
                    patched.setattr(os, step, interrupt)
                link.place(layout, str(path), undo)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        place()
    assert os.readlink(path) == str(dead)


def test_another_programs_new_file_stays(tmp_path: Path) -> None:
    path = tmp_path / "tidegauge"
    path.write_text("another")

    with pytest.raises(FileExistsError), ExitStack() as undo:
        link.place(Layout(str(tmp_path / "root" / "tidegauge"), ""), str(path), undo)

    assert path.read_text() == "another"
