"""A person's own status line: kept, and shown with ours as they choose."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.client import clients
from tests.conftest import REPOSITORY
from tests.installer.conftest import Home

MINE = {"type": "command", "command": "jq -r .model.display_name 2>/dev/null; cat >/dev/null; echo mine"}


@pytest.fixture
def own(home: Home) -> Home:
    home.write(json.dumps({"statusLine": MINE}).encode())
    return home


def line(home: Home) -> list[str]:
    """The status line that the client would show, as a word for each line."""
    command = json.loads(home.settings.read_bytes())["statusLine"]["command"]
    window = {"context_window_size": 200_000, "used_percentage": 71, "remaining_percentage": 29}
    payload = json.dumps({"session_id": "wrapping", "context_window": window, "model": {"display_name": "Opus"}})
    environ = home.environ | {"NO_COLOR": "1", "COLUMNS": "100"}
    result = subprocess.run(
        ["sh", "-c", command], env=environ, input=payload, capture_output=True, text=True, check=True
    )
    return ["ours" if "71%" in text else text for text in result.stdout.splitlines() if text != "Opus"]


def test_without_a_terminal_our_line_is_below_it(own: Home) -> None:
    output = own.installed()

    assert f"wraps  your status line, {MINE['command'][:49]}…: it stays, ours below it" in output
    assert line(own) == ["mine", "ours"]


@pytest.mark.parametrize(
    ("where", "lines"), [("below", ["mine", "ours"]), ("above", ["ours", "mine"]), ("alone", ["mine"])]
)
def test_it_stays_in_its_chosen_place_after_a_rerun(own: Home, where: str, lines: list[str]) -> None:
    own.installed("--wrap", where)
    assert line(own) == lines
    assert (f"ours {where}" if where != "alone" else "drawn alone") in own.installed()

    assert line(own) == lines


@pytest.mark.parametrize(("answer", "lines"), [("", ["mine", "ours"]), ("a", ["ours", "mine"]), ("alone", ["mine"])])
def test_on_a_terminal_it_asks_and_shows_the_difference_on_request(own: Home, answer: str, lines: list[str]) -> None:
    output = own.answer("", answer, "d", "y")  # the countdown is asked for first

    assert "Ours below it, above it, or yours alone? [Below/above/alone]" in output
    assert output.count("+++ ") == 1
    assert line(own) == lines


def test_it_comes_back_byte_for_byte(own: Home) -> None:
    before = own.settings.read_bytes()
    own.installed("--wrap", "above")
    own.installed("uninstall")

    assert own.settings.read_bytes() == before


@pytest.mark.usefixtures("trying")
def test_a_failed_installation_leaves_no_configuration(home: Home) -> None:
    # A status line that is tried when everything is in place, and then blocks the last step.
    home.write(json.dumps({"statusLine": MINE | {"command": "echo mine; : >~/.claude/commands"}}).encode())
    before = home.tree()
    result = home.install("--wrap", "above")
    (home.client / "commands").unlink()

    assert result.returncode == 1
    assert home.tree() == before


CCSTATUSLINE = (clients.line(), "", b"Model:")
STARSHIP = (clients.starship(), "statusline claude-code", b"Opus")


@pytest.mark.client
@pytest.mark.parametrize(("program", "arguments", "shows"), [CCSTATUSLINE, STARSHIP], ids=["ccstatusline", "starship"])
def test_a_known_status_line_runs_as_before_and_ours_below_it(
    home: Home, program: Path, arguments: str, shows: bytes
) -> None:
    """The genuine programs, from npm and PyPI."""
    if not program.is_file():
        if os.environ.get("CI"):
            pytest.fail(clients.HOW_TO)
        pytest.skip(clients.HOW_TO)
    line = {"type": "command", "command": f"'{program}' {arguments}".rstrip(), "padding": 0}
    home.write(json.dumps({"statusLine": line}).encode())
    before = home.settings.read_bytes()
    payload = captured_line()
    environ = home.environ | {"COLUMNS": "120"}

    def drawing() -> bytes:
        command = json.loads(home.settings.read_bytes())["statusLine"]["command"]
        result = subprocess.run(["sh", "-c", command], env=environ, input=payload, capture_output=True, check=True)
        return result.stdout

    alone = drawing()
    home.installed()
    both = drawing()
    home.installed("uninstall")

    assert shows in alone
    assert both.startswith(alone.rstrip(b"\n"))
    assert b"67%" in both[len(alone.rstrip(b"\n")) :]
    assert home.settings.read_bytes() == before


def captured_line() -> bytes:
    return (REPOSITORY / "tests" / "payloads" / "statusline" / "warning.json").read_bytes()


def test_moving_our_line_changes_only_the_configuration(own: Home) -> None:
    own.installed()
    before = own.tree()
    result = own.tidegauge("install", "--wrap", "above")
    after = own.tree()

    assert (result.returncode, result.stderr) == (0, "")
    assert "it stays, ours above it" in result.stdout
    changed = {path for path in after if after[path] != before.get(path)}
    assert changed - {".config", ".config/tidegauge", ".claude/tidegauge/run/settings.lock"} == {
        ".config/tidegauge/config.toml"
    }
    assert line(own) == ["ours", "mine"]


def test_a_dry_run_moves_nothing(own: Home) -> None:
    own.installed()
    before = own.tree()
    result = own.tidegauge("install", "--wrap", "above", "--dry-run")

    assert "A dry run: nothing was written." in result.stdout
    assert own.tree() == before


def test_with_another_choice_it_is_installed_again(own: Home) -> None:
    own.installed()

    assert "is reinstalled in" in own.installed("--wrap", "above", "--no-companions")
    assert line(own) == ["ours", "mine"]
