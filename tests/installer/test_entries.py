import json
import shlex
import subprocess
from pathlib import Path

import pytest

from installer import entries
from installer.layout import Layout

POSIX = Layout("/home/a/.claude/tidegauge", "/home/a/.claude/settings.json")
MACOS = Layout("/Users/Ann Ä/.claude/tidegauge", "/Users/Ann Ä/.claude/settings.json")
WINDOWS = Layout(
    "C:\\Users\\Ann Lee\\.claude\\tidegauge",
    "C:\\Users\\Ann Lee\\.claude\\settings.json",
    windows=True,
)


def test_on_posix_the_hook_is_the_launcher() -> None:
    assert entries.hook_command(POSIX) == '"/home/a/.claude/tidegauge/bin/monitor"'


def test_on_posix_the_status_line_names_the_interpreter() -> None:
    assert entries.status_line_command(POSIX) == (
        '"/home/a/.claude/tidegauge/environment/bin/python" -I -S "/home/a/.claude/tidegauge/bin/statusline.py"'
    )


def test_a_path_with_a_space_stays_one_word() -> None:
    assert shlex.split(entries.hook_command(MACOS)) == ["/Users/Ann Ä/.claude/tidegauge/bin/monitor"]


def test_on_windows_both_name_the_interpreter_with_forward_slashes() -> None:
    # os.path.join of this system puts "/" between; what counts is that no backslash is left.
    assert entries.hook_command(WINDOWS) == (
        '"C:/Users/Ann Lee/.claude/tidegauge/environment/Scripts/python.exe" -I -S '
        '"C:/Users/Ann Lee/.claude/tidegauge/bin/monitor.py"'
    )
    assert "\\" not in entries.status_line_command(WINDOWS)


@pytest.mark.parametrize("name", ["a b", "a$HOME", "a`id`", 'a"b', "a'b", "a\\b", "a;b", "a*", "ä", "a!b", "$(id)"])
def test_sh_runs_exactly_the_path_that_was_meant(tmp_path: Path, name: str) -> None:
    root = tmp_path / name / "tidegauge"
    (root / "bin").mkdir(parents=True)
    launcher = root / "bin" / "monitor"
    launcher.write_text("#!/bin/sh\necho here\n", encoding="utf-8")
    launcher.chmod(0o755)
    command = entries.hook_command(Layout(str(root), ""))

    done = subprocess.run(["sh", "-c", command], capture_output=True, check=True)

    assert done.stdout == b"here\n"


def test_every_tool_is_matched_and_the_time_limit_is_in_seconds() -> None:
    group = entries.group(POSIX)

    assert group["matcher"] == "*"
    assert json.dumps(group).count('"timeout": 10') == 1


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
    ],
)
def test_our_hook_is_known_in_any_spelling(command: str) -> None:
    assert entries.is_hook(command, POSIX)


@pytest.mark.parametrize(
    "command",
    [
        "/home/a/.claude/tidegauge/bin/monitors",
        "/mnt/home/a/.claude/tidegauge/bin/monitor",
        "/home/a/.claude/tidegauge/bin/monitor.sh",
        "/home/b/.claude/tidegauge/bin/monitor",
        "echo 'monitor",
        "",
    ],
)
def test_a_foreign_hook_is_not_taken_for_ours(command: str) -> None:
    assert not entries.is_hook(command, POSIX)


@pytest.mark.parametrize("layout", [POSIX, MACOS, WINDOWS, Layout("/a'b $x/tidegauge", "")])
def test_what_we_write_is_known_again(layout: Layout) -> None:
    assert entries.is_hook(entries.hook_command(layout), layout)
    assert entries.is_status_line(entries.status_line_command(layout), layout)
    assert entries.is_hook_of_any_root(entries.hook_command(layout))
