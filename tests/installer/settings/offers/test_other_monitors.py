"""Another monitor of the context window: kept, or switched off until we are uninstalled."""

import json
from typing import Any

import pytest

from tests.installer.conftest import Home

GSD = '"/usr/bin/node" "/home/ann/.claude/hooks/gsd-context-monitor.js"'
SCANNER = '"/usr/bin/node" "/home/ann/.claude/hooks/gsd-read-injection-scanner.js"'


@pytest.fixture
def home_with_gsd(home: Home) -> Home:
    """A home with the relevant settings as `get-shit-done-cc` 1.42.3 writes them."""
    monitor = {"type": "command", "command": GSD, "timeout": 10}
    groups = [
        {"matcher": "Bash|Edit|Write|MultiEdit|Agent|Task", "hooks": [monitor]},
        {"matcher": "Read", "hooks": [{"type": "command", "command": SCANNER, "timeout": 5}]},
    ]
    home.write(json.dumps({"hooks": {"PostToolUse": groups}}, indent=2).encode())
    return home


def settings(home: Home) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(home.settings.read_bytes())
    return document


def commands(home: Home) -> list[str]:
    """The commands at a tool use that aren't ours."""
    handlers = [handler for group in settings(home)["hooks"]["PostToolUse"] for handler in group["hooks"]]
    return [handler["command"] for handler in handlers if "tidegauge" not in handler["command"]]


def test_without_a_terminal_it_is_mentioned_and_stays(home_with_gsd: Home) -> None:
    output = home_with_gsd.installed()

    notice = "Also watching the context window, and left on (--other-monitors off): gsd-context-monitor.js.\n"
    assert output.count("gsd-context-monitor.js") == 1
    assert notice in output
    assert commands(home_with_gsd) == [GSD, SCANNER]


def test_a_switched_off_monitor_comes_back_byte_for_byte(home_with_gsd: Home) -> None:
    before = home_with_gsd.tree()
    home_with_gsd.installed("--other-monitors", "off")
    assert commands(home_with_gsd) == [SCANNER]
    again = home_with_gsd.installed()
    assert commands(home_with_gsd) == [SCANNER]
    assert "other monitors off (--other-monitors keep)" in again
    home_with_gsd.installed("uninstall")

    assert home_with_gsd.tree() == before


def test_it_comes_back_into_settings_changed_since(home_with_gsd: Home) -> None:
    before = settings(home_with_gsd)["hooks"]["PostToolUse"]
    home_with_gsd.installed("--other-monitors", "off")
    changed = settings(home_with_gsd) | {"model": "opus"}
    home_with_gsd.settings.write_text(json.dumps(changed), encoding="utf-8")
    home_with_gsd.installed("uninstall")

    assert settings(home_with_gsd) == {"hooks": {"PostToolUse": before[::-1]}, "model": "opus"}


def test_it_can_be_switched_on_again_by_option(home_with_gsd: Home) -> None:
    home_with_gsd.installed("--other-monitors", "off")
    home_with_gsd.installed("--other-monitors", "keep")

    assert sorted(commands(home_with_gsd)) == sorted([GSD, SCANNER])


def test_a_monitor_that_reinstalled_itself_is_not_duplicated(home_with_gsd: Home) -> None:
    before = home_with_gsd.settings.read_bytes()
    home_with_gsd.installed("--other-monitors", "off")
    changed = settings(home_with_gsd)
    changed["hooks"]["PostToolUse"].insert(0, json.loads(before)["hooks"]["PostToolUse"][0])
    home_with_gsd.settings.write_text(json.dumps(changed), encoding="utf-8")
    home_with_gsd.installed("uninstall")

    assert commands(home_with_gsd) == [GSD, SCANNER]


def test_only_the_monitor_of_a_mixed_group_is_switched_off(home: Home) -> None:
    handlers = [{"type": "command", "command": "mine"}, {"type": "command", "command": GSD}]
    home.write(json.dumps({"hooks": {"PostToolUse": [{"hooks": handlers}]}}).encode())
    before = home.settings.read_bytes()
    home.installed("--other-monitors", "off")
    assert commands(home) == ["mine"]
    home.installed("uninstall")

    assert home.settings.read_bytes() == before


@pytest.mark.parametrize(("answer", "expected"), [("", [SCANNER]), ("n", [GSD, SCANNER])])
def test_a_terminal_asks_once(home_with_gsd: Home, answer: str, expected: list[str]) -> None:
    asked = home_with_gsd.answer("", answer, "y")
    assert "Switch the other off until you uninstall? [Y/n]" in asked
    assert commands(home_with_gsd) == expected

    assert "off until you uninstall?" not in home_with_gsd.answer("y")
    assert commands(home_with_gsd) == expected
