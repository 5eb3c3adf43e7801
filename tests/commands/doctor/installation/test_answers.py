import json
import re
import sysconfig

import pytest

from installer.settings import entries
from shared.registrations import REGISTRATIONS
from tests import scratch
from tests.commands.person import Person


def test_both_commands_are_timed(person: Person) -> None:
    result = person.doctor("-v")

    answer = r"answers a sample(?: in|, but only after) [\d,]+ ms"  # the machine may be busy
    assert re.search(rf"(ok|warning) +status line +{answer}$", result.stdout, re.MULTILINE)
    assert re.search(rf"(ok|warning) +monitor +{answer}: CONTEXT WINDOW [A-Z]+ — 29% rem", result.stdout)


@pytest.mark.parametrize(("process", "subject"), [("monitor", "monitor"), ("statusline", "status line")])
def test_a_failing_command_is_an_error(person: Person, process: str, subject: str) -> None:
    (person.root / "bin" / f"{process}.py").write_text("import sys\nsys.exit('no module named shared')\n")

    finding = person.finding(subject)

    assert finding.status == "wrong"
    assert "ends with exit code 1: no module named shared" in finding.message


def test_a_silently_failing_command_is_an_error_with_its_reason(person: Person) -> None:
    scratch.write_entry(person.root, "monitor", "monitor.nothing", [str(scratch.REPOSITORY), *_site()])

    finding = person.finding("monitor")

    assert finding.status == "wrong"
    assert "No module named 'monitor.nothing'" in finding.message
    assert list((person.root / "run").iterdir()) == []


def test_a_switched_off_monitor_may_be_silent(person: Person) -> None:
    person.configure("[hooks]\ncontext_warnings = false\n")

    assert "silently: hooks.context_warnings is false" in person.finding("monitor").message


def test_the_sample_keeps_the_mark_of_a_real_failure(person: Person) -> None:
    mark = person.root / "run" / "failed-monitor"
    mark.write_text("2026-01-01 00:00:00 monitor: OSError: full")
    before = mark.stat().st_mtime_ns

    assert person.finding("monitor").status in {"ok", "warning"}  # slow, on a busy machine
    assert mark.read_text() == "2026-01-01 00:00:00 monitor: OSError: full"
    assert mark.stat().st_mtime_ns == before


def test_a_wrapped_status_line_is_tried(person: Person) -> None:
    (person.root / "wrapped.json").write_text(json.dumps({"type": "command", "command": "cat >/dev/null; echo hi"}))

    assert person.finding("wrapped status line") == ("ok", "cat >/dev/null; echo hi answers")


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("sleep 5", "no answer of up to 262,144 bytes within 2 s"),
        ("true", "fails for a sample (nothing printed)"),
        ("echo broken; exit 3", "fails for a sample (exit code 3)"),
        ("yes | head -c 300000", "no answer of up to 262,144 bytes"),
    ],
)
def test_a_wrapped_status_line_that_shows_nothing_is_a_warning(person: Person, command: str, expected: str) -> None:
    (person.root / "wrapped.json").write_text(json.dumps({"type": "command", "command": command}))

    finding = person.finding("wrapped status line")

    assert finding.status == "warning"
    assert expected in finding.message


def test_a_damaged_wrapped_status_line_is_an_error(person: Person) -> None:
    (person.root / "wrapped.json").write_text('{"command": ')

    assert person.finding("wrapped status line").status == "wrong"


@pytest.mark.parametrize("value", ["null", "{}", '"echo str"', "false", "[]", '{"command": 5}', '{"command": ""}'])
def test_a_previous_status_line_without_a_command_is_no_error(person: Person, value: str) -> None:
    (person.root / "wrapped.json").write_text(value)

    assert "wrapped status line" not in person.doctor().stdout


def test_the_commands_come_from_the_settings(person: Person) -> None:
    """A prefix that the person put before our command is part of it."""
    slow = f"sleep 1.2; {entries.hook_command(REGISTRATIONS[0], person.layout)}"
    person.change_settings(hooks={"PostToolUse": [{"hooks": [{"type": "command", "command": slow}]}]})

    finding = person.finding("monitor")

    assert finding.status == "warning"
    assert re.match(r"answers a sample, but only after [1-4],\d\d\d ms", finding.message)


def test_a_command_that_is_slow_once_is_not_called_slow(person: Person) -> None:
    """The first run after a machine's start is slow, from a cold disk."""
    mark = person.home / "warm"
    command = entries.hook_command(REGISTRATIONS[0], person.layout)
    once = f"[ -e '{mark}' ] || sleep 1.2; touch '{mark}'; {command}"
    person.change_settings(hooks={"PostToolUse": [{"hooks": [{"type": "command", "command": once}]}]})

    assert person.finding("monitor").status == "ok"


@pytest.mark.parametrize("name", ["settings.json", "settings.local.json"])
@pytest.mark.parametrize("launcher", ["statusline", "monitor"])
def test_only_commands_we_write_are_run_from_a_projects_settings(person: Person, name: str, launcher: str) -> None:
    """They may come with a repository, and `doctor` doesn't ask whether that is trusted."""
    mark = person.project / "run-by-doctor"
    command = f"touch '{mark}'; exec ${{CLAUDE_CONFIG_DIR:-$HOME/.claude}}/tidegauge/bin/{launcher}"
    handler = {"type": "command", "command": command}
    line = {"statusLine": handler}
    hook = {"hooks": {"PostToolUse": [{"matcher": "*", "hooks": [handler]}]}}
    person.write_project_settings(name, **(line if launcher == "statusline" else hook))

    finding = person.finding("status line" if launcher == "statusline" else "monitor")

    assert finding.status == "unknown"
    assert finding.message == f"not run: the command in {person.project}/.claude/{name} isn't exactly ours"
    assert not mark.exists()


def test_a_teams_command_in_a_projects_settings_is_run(person: Person) -> None:
    team = person.layout._replace(team=True)
    person.write_project_settings(statusLine=entries.status_line(team))

    assert person.finding("status line").status in {"ok", "warning"}  # slow, on a busy machine


def _site() -> list[str]:
    return [sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]
