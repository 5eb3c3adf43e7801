import json
import shlex
import subprocess
from pathlib import Path

import pytest

from installer.layout import Layout
from installer.settings import entries
from shared.registrations import REGISTRATIONS, Registration
from tests import processor_time

POSIX = Layout("/home/a/.claude/tidegauge", "/home/a/.claude/settings.json")
MACOS = Layout("/Users/Ann Ä/.claude/tidegauge", "/Users/Ann Ä/.claude/settings.json")
WINDOWS = Layout(
    "C:\\Users\\Ann Lee\\.claude\\tidegauge",
    "C:\\Users\\Ann Lee\\.claude\\settings.json",
    windows=True,
)


TOOL_USE, WRITING = REGISTRATIONS[0], REGISTRATIONS[2]


TEAM = POSIX._replace(settings="/p/.claude/settings.json", project=True, team=True)


def test_on_posix_a_hook_runs_its_launcher_or_nothing_if_missing() -> None:
    assert entries.hook_command(TOOL_USE, POSIX) == (
        '[ ! -x "/home/a/.claude/tidegauge/bin/monitor" ] || "/home/a/.claude/tidegauge/bin/monitor"'
    )


def test_a_hook_without_its_own_launcher_uses_the_common_one() -> None:
    command = entries.hook_command(Registration("PostToolUse", argument="staleness"), POSIX)

    assert command.endswith(' || "/home/a/.claude/tidegauge/bin/monitor-event" staleness')
    assert entries.argument(command) == "staleness"


def test_a_teams_command_runs_each_persons_own_installation() -> None:
    launcher = '"${CLAUDE_CONFIG_DIR:-$HOME/.claude}/tidegauge/bin/monitor"'

    assert entries.hook_command(TOOL_USE, TEAM) == f"[ ! -x {launcher} ] || {launcher}"
    assert entries.hook_command(TOOL_USE, WINDOWS._replace(team=True)) == f"[ ! -x {launcher} ] || {launcher}"


@pytest.mark.parametrize("layout", [POSIX, TEAM, Layout("/a'b $x/tidegauge", "")])
@pytest.mark.parametrize("registration", REGISTRATIONS)
def test_without_an_installation_a_hook_is_harmless(layout: Layout, registration: Registration, tmp_path: Path) -> None:
    command = entries.hook_command(registration, layout)
    environ = {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"}
    result = subprocess.run(["sh", "-c", command], env=environ, input=b"{}", capture_output=True, check=False)

    assert (result.returncode, result.stdout, result.stderr) == (0, b"", b"")


def test_without_an_installation_the_status_line_says_so() -> None:
    command = entries.status_line_command(Layout("/it's gone/tidegauge", ""))
    result = subprocess.run(["sh", "-c", command], input=b"{}", capture_output=True, check=False)

    assert (result.returncode, result.stderr) == (0, b"")
    assert result.stdout == b"Tidegauge is no longer in /it's gone/tidegauge: install it again\n"


def test_a_teams_status_line_is_silent_without_an_installation(tmp_path: Path) -> None:
    command = entries.status_line_command(TEAM)
    result = subprocess.run(["sh", "-c", command], env={"HOME": str(tmp_path)}, capture_output=True, check=False)

    assert (result.returncode, result.stdout, result.stderr) == (0, b"", b"")


def test_a_commands_script_is_found() -> None:
    assert entries.script(entries.hook_command(TOOL_USE, POSIX)) == "/home/a/.claude/tidegauge/bin/monitor"
    assert entries.script(entries.status_line_command(POSIX)) == "/home/a/.claude/tidegauge/bin/statusline"


def test_a_path_with_a_space_is_one_word() -> None:
    assert shlex.split(entries.hook_command(TOOL_USE, MACOS))[-1] == "/Users/Ann Ä/.claude/tidegauge/bin/monitor"


def test_on_windows_both_name_the_interpreter_with_forward_slashes() -> None:
    # os.path.join of this system puts "/" between; what counts is that no backslash is left.
    assert entries.hook_command(TOOL_USE, WINDOWS) == (
        '"C:/Users/Ann Lee/.claude/tidegauge/environment/Scripts/python.exe" -I -S '
        '"C:/Users/Ann Lee/.claude/tidegauge/bin/monitor.py"'
    )
    assert entries.hook_command(WRITING, WINDOWS).endswith('/tidegauge/bin/monitor.py" staleness')
    assert "\\" not in entries.status_line_command(WINDOWS)


def test_on_windows_a_plain_path_is_unquoted_as_powershell_requires() -> None:
    plain = Layout("C:\\Users\\Änn\\.claude\\tidegauge", "C:\\Users\\Änn\\.claude\\settings.json", windows=True)
    line, hook = entries.status_line_command(plain), entries.hook_command(TOOL_USE, plain)

    assert hook == (
        "C:/Users/Änn/.claude/tidegauge/environment/Scripts/python.exe -I -S "
        "C:/Users/Änn/.claude/tidegauge/bin/monitor.py"
    )
    assert entries.is_hook(hook, plain)
    assert entries.is_status_line(line, plain)
    assert entries.script(hook) == "C:/Users/Änn/.claude/tidegauge/bin/monitor.py"


@pytest.mark.parametrize("name", ["a b", "a$HOME", "a`id`", 'a"b', "a'b", "a\\b", "a;b", "a*", "ä", "a!b", "$(id)"])
def test_sh_runs_exactly_the_path_that_was_meant(tmp_path: Path, name: str) -> None:
    root = tmp_path / name / "tidegauge"
    (root / "bin").mkdir(parents=True)
    launcher = root / "bin" / "monitor"
    launcher.write_text("#!/bin/sh\necho here\n", encoding="utf-8")
    launcher.chmod(0o755)
    command = entries.hook_command(TOOL_USE, Layout(str(root), ""))

    result = subprocess.run(["sh", "-c", command], capture_output=True, check=True)

    assert result.stdout == b"here\n"


def test_a_group_has_the_matcher_and_the_time_limit_in_seconds() -> None:
    group = entries.group(Registration("PreToolUse", "Skill", timeout=7), POSIX)

    assert group["matcher"] == "Skill"
    assert json.dumps(group).count('"timeout": 7') == 1


@pytest.mark.parametrize(
    "command",
    [
        '"/home/a/.claude/tidegauge/bin/monitor"',
        "/home/a/.claude/tidegauge/bin/monitor",
        "'/home/a/.claude/tidegauge/bin/monitor' 2>/dev/null",
        '"/x/python" -I -S "/home/a/.claude/tidegauge/bin/monitor.py"',
        "~/.claude/tidegauge/bin/monitor",
        '"$HOME/.claude/tidegauge/bin/monitor"',
        "nice /home/a/.claude/tidegauge/bin/monitor; true",
        '"/home/a/.claude/tidegauge/bin/monitor-writes"',
        '"/x/python" "/home/a/.claude/tidegauge/bin/monitor.py" staleness',
    ],
)
def test_our_hook_is_recognised_in_any_spelling(command: str) -> None:
    assert entries.is_hook(command, POSIX)


@pytest.mark.parametrize(
    "command",
    [
        "/home/a/.claude/tidegauge/bin/monitors",
        "/mnt/home/a/.claude/tidegauge/bin/monitor",
        "/home/a/.claude/tidegauge/bin/monitor.sh",
        "/home/a/.claude/tidegauge/bin/monitor-reads",
        "/home/a/.claude/tidegauge/bin/tidegauge doctor",
        "/home/b/.claude/tidegauge/bin/monitor",
        "echo 'monitor",
        "",
    ],
)
def test_a_foreign_hook_is_not_mistaken_for_ours(command: str) -> None:
    assert not entries.is_hook(command, POSIX)


@pytest.mark.parametrize("layout", [POSIX, TEAM, MACOS, WINDOWS, Layout("/a'b $x/tidegauge", "")])
@pytest.mark.parametrize("registration", REGISTRATIONS)
def test_our_own_commands_are_recognised(layout: Layout, registration: Registration) -> None:
    command = entries.hook_command(registration, layout)

    assert entries.is_hook(command, layout)
    assert entries.is_hook_of_any_root(command)
    assert entries.argument(command) == registration.argument
    assert not entries.is_status_line(command, layout)


@pytest.mark.parametrize("layout", [POSIX, TEAM, MACOS, WINDOWS, Layout("/a'b $x/tidegauge", "")])
def test_our_status_line_is_recognised(layout: Layout) -> None:
    assert entries.is_status_line(entries.status_line_command(layout), layout)
    assert not entries.is_hook(entries.status_line_command(layout), layout)


@pytest.mark.parametrize(
    ("command", "argument"),
    [
        ('python "/x/tidegauge/bin/monitor.py" staleness', "staleness"),
        ("python '/x/tidegauge/bin/monitor.py'   staleness 2>/dev/null", "staleness"),
        ("/x/tidegauge/bin/monitor-writes; true", "staleness"),
        ("python /x/tidegauge/bin/monitor.py 2>/dev/null", ""),
        ("python /x/tidegauge/bin/monitor.py; echo staleness", ""),
        ("/x/tidegauge/bin/monitor staleness", ""),
        ("echo staleness", ""),
    ],
)
def test_a_commands_hook_of_an_event_is_recognised(command: str, argument: str) -> None:
    assert entries.argument(command) == argument


def test_without_git_bash_a_path_with_a_space_uses_powershells_call_operator() -> None:
    layout = WINDOWS._replace(root="C:\\Users\\Ann O'Lee\\.claude\\tidegauge", powershell=True)
    hook, line = entries.hook_command(WRITING, layout), entries.status_line_command(layout)

    assert hook == (
        "& 'C:/Users/Ann O''Lee/.claude/tidegauge/environment/Scripts/python.exe' -I -S "
        "'C:/Users/Ann O''Lee/.claude/tidegauge/bin/monitor.py' staleness"
    )
    assert line.startswith("& 'C:/")
    assert entries.is_hook(hook, layout)
    assert entries.is_status_line(line, layout)
    assert entries.argument(hook) == "staleness"
    spaced = entries.hook_command(TOOL_USE, WINDOWS._replace(powershell=True))
    assert entries.script(spaced) == "C:/Users/Ann Lee/.claude/tidegauge/bin/monitor.py"


def test_a_plain_path_needs_no_call_in_powershell() -> None:
    plain = Layout("C:\\Users\\Ann\\.claude\\tidegauge", "", windows=True, powershell=True)

    assert entries.hook_command(TOOL_USE, plain).startswith("C:/Users/Ann/.claude/tidegauge/environment/Scripts/")


@pytest.mark.parametrize(
    "command", ["/x/tidegauge/bin/monitor '" + "a" * 1_000_000 + "'", "'" * 1_000_000, " ~" * 500_000]
)
def test_a_command_far_longer_than_ours_is_not_parsed(command: str) -> None:
    with processor_time.at_most(2):
        assert not entries.is_hook(command, POSIX)
        assert entries.script(command) is None
