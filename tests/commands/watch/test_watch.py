"""`tidegauge watch`, as a person runs it: on a real terminal, and where it cannot run."""

import shutil
import sys
from pathlib import Path

import pytest

from tests import scratch
from tests.client.terminal import Terminal
from tests.commands.person import Person

WATCH = [sys.executable, "-m", "commands", "watch"]


def environment(person: Person) -> dict[str, str]:
    environ = {"PYTHONPATH": str(scratch.REPOSITORY), "TERM": "xterm-256color", "LANG": "C.UTF-8"}
    return scratch.environment(person.root) | environ


def test_without_a_terminal_it_says_so(person: Person) -> None:
    result = person.tidegauge("watch")

    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr == "tidegauge: watch needs a terminal; `tidegauge status --json` is for scripts\n"


@pytest.mark.skipif(shutil.which("tmux") is None, reason="needs tmux")
@pytest.mark.parametrize("key", ["q", "C-c"])
def test_it_fills_the_screen_and_restores_it(person: Person, tmp_path: Path, key: str) -> None:
    command = ["sh", "-c", f'cd "{person.project}"; echo BEFORE; "$@"; echo "LEFT $?"; sleep 60', "sh", *WATCH]
    with Terminal(tmp_path, command, environment(person), 80) as terminal:
        terminal.wait_for("No session is running. One appears here as soon as you start it.")
        terminal.press(key)
        terminal.wait(lambda screen: "BEFORE" in screen and "LEFT 0" in screen, "the screen as it was")
        assert "No session runs" not in terminal.screen()


@pytest.mark.skipif(shutil.which("tmux") is None, reason="needs tmux")
def test_without_textual_one_line_says_how_to_get_it(person: Person, tmp_path: Path) -> None:
    hidden = "import sys; sys.modules['textual'] = None; sys.argv[1:] = ['watch']; import runpy; "
    command = [sys.executable, "-c", hidden + "runpy.run_module('commands', run_name='__main__')"]
    shell = ["sh", "-c", f'cd "{person.project}"; "$@"; echo "LEFT $?"; sleep 60', "sh", *command]
    with Terminal(tmp_path, shell, environment(person), 120) as terminal:
        terminal.wait_for("LEFT 1")
        assert "watch needs the package textual, which is not installed: tidegauge install --watch" in terminal.screen()
