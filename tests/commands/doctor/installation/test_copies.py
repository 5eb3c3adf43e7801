import json
from typing import Any

from tests.commands.person import Person


def hook(command: str) -> dict[str, Any]:
    return {"PostToolUse": [{"matcher": "*", "hooks": [{"type": "command", "command": command}]}]}


def test_a_second_installation_is_an_error(person: Person) -> None:
    person.write_project_settings(hooks=hook('"/elsewhere/.claude/tidegauge/bin/monitor"'))

    result = person.doctor()

    assert result.returncode == 1
    assert "PostToolUse runs 2 monitors of ours" in result.stdout
    assert "/elsewhere/.claude/tidegauge/bin/monitor" in result.stdout


def test_the_same_command_in_two_files_runs_once(person: Person) -> None:
    person.write_project_settings(hooks=json.loads(person.settings.read_text())["hooks"])

    assert person.finding("second copy").status == "ok"


def test_another_monitor_is_mentioned(person: Person) -> None:
    hooks = json.loads(person.settings.read_text())["hooks"]
    hooks["PostToolUse"] += hook('node "/home/x/.claude/hooks/gsd-context-monitor.js"')["PostToolUse"]
    person.change_settings(hooks=hooks)

    result = person.doctor()

    assert result.returncode == 0
    assert "gsd-context-monitor.js" in person.finding("other monitors").message
    assert "one number: ~/.claude/tidegauge/bin/tidegauge install --other-monitors off" in result.stdout
    assert person.finding("second copy").status == "ok"
