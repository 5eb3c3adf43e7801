"""The commands that a person is told to type work where they are."""

import os
from pathlib import Path

import pytest

from monitor import command_line
from monitor.session import Session
from shared.settings.config import Config

ID = "5b0c6a1e-0000-4000-8000-000000000001"


def session(root: Path, *path: Path) -> Session:
    return Session(str(root), Config(), {"PATH": os.pathsep.join(map(str, path))}, 0.0)


def test_the_command_is_short_where_the_shell_finds_it(tmp_path: Path) -> None:
    (tmp_path / "tidegauge").touch(0o755)
    assert command_line.resume(session(tmp_path, tmp_path), 7) == "tidegauge resume 7"
    assert command_line.resume(session(tmp_path, Path("/nowhere"), tmp_path), "N") == "tidegauge resume N"
    assert command_line.resume(session(tmp_path, Path("/nowhere"), tmp_path), "") == "tidegauge resume"


@pytest.mark.parametrize(
    ("root", "home", "command"),
    [
        ("/home/dev/tools", "/home/dev", "~/tools/bin/tidegauge resume 1"),
        ("/opt/tools", "/home/dev", "/opt/tools/bin/tidegauge resume 1"),
        ("/home/developer", "/home/dev", "/home/developer/bin/tidegauge resume 1"),
        ("/home/dev/my tools", "/home/dev", "'/home/dev/my tools/bin/tidegauge' resume 1"),
        ("/home/dev/$tools", "/home/dev", "'/home/dev/$tools/bin/tidegauge' resume 1"),
    ],
)
def test_elsewhere_it_is_the_programs_quoted_path(
    root: str, home: str, command: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", home)
    (tmp_path / "tidegauge").touch(0o644)
    monkeypatch.chdir(tmp_path)
    assert command_line.resume(session(Path(root), tmp_path), 1) == command


def test_without_a_checkpoint_the_session_is_handed_on_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "tidegauge").touch(0o755)
    here = session(tmp_path, tmp_path)
    assert command_line.resume_or_spawn(here, 3, ID) == "tidegauge resume 3"
    assert command_line.resume_or_spawn(here, 3, ID, is_elsewhere=True) == "tidegauge resume 3 --session 5b0c6a1e"
    assert command_line.resume_or_spawn(here, 0, ID) == "tidegauge status --pivot spawn --session 5b0c6a1e"


def test_a_strategy_is_a_slash_command_where_the_client_has_ours(tmp_path: Path) -> None:
    root, program = tmp_path / "client" / "tidegauge", tmp_path / "tidegauge"
    program.touch(0o755)
    in_terminal = "tidegauge status --pivot chunk --session 5b0c6a1e"
    assert command_line.pivot(session(root, tmp_path), "chunk", ID) == in_terminal
    (root.parent / "commands").mkdir(parents=True)
    (root.parent / "commands" / "token-status.md").touch()
    assert command_line.pivot(session(root, tmp_path), "chunk", ID) == "/token-status --pivot chunk"
    assert command_line.pivot_in_terminal(session(root, tmp_path), "chunk", ID) == in_terminal


def test_a_plugins_slash_command_bears_its_name(tmp_path: Path) -> None:
    plugin = Session(str(tmp_path), Config(), {"CLAUDE_PLUGIN_ROOT": str(tmp_path)}, 0.0)
    assert command_line.pivot(plugin, "spawn", ID) == "/tidegauge:token-status --pivot spawn"
