"""The client's plugin is in step with the installer's table, and runs nothing that already runs."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from docs import plugin
from monitor.registrations import REGISTRATIONS, wanted
from shared.config import Hooks

RUN = plugin.PLUGIN / "hooks" / "run"
OURS = '[ ! -x "/h/.claude/tidegauge/bin/monitor" ] || "/h/.claude/tidegauge/bin/monitor"'


@pytest.mark.parametrize("path", plugin.files(), ids=lambda path: str(path.relative_to(plugin.REPOSITORY)))
def test_a_file_is_up_to_date(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == plugin.files()[path], "python -m docs.generate"


def test_every_hook_of_the_core_profile_is_there_with_its_launcher_and_timeout() -> None:
    document = json.loads((plugin.PLUGIN / "hooks" / "hooks.json").read_text(encoding="utf-8"))
    found = [
        (event, group["matcher"], handler["command"].split('hooks/run" ')[1], handler["timeout"])
        for event, groups in document["hooks"].items()
        for group in groups
        for handler in group["hooks"]
    ]
    core = [entry for entry in REGISTRATIONS if any(getattr(Hooks(), part) for part in entry.parts)]

    assert sorted(found) == sorted(
        (
            entry.event,
            entry.matcher,
            entry.launcher or f"monitor-event {entry.argument}".strip(),
            entry.timeout,
        )
        for entry in core
    )
    assert len(found) == len(wanted({part: getattr(Hooks(), part) for part in Hooks.__struct_fields__}))


@pytest.mark.parametrize("name", ["hooks/run", "bin/tidegauge"])
def test_a_script_may_be_executed(name: str) -> None:
    assert os.access(plugin.PLUGIN / name, os.X_OK)


def start(home: Path, *arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    """Run the plugin's hook in `home`, whose launcher says its arguments and its stdin."""
    return subprocess.run(
        ["sh", str(RUN), *arguments],
        input="payload",
        env={"HOME": str(home), "PATH": os.environ["PATH"], "CLAUDE_PROJECT_DIR": str(home / "project"), **environ},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def home(tmp_path: Path) -> Path:
    launcher = tmp_path / ".claude" / "tidegauge" / "bin" / "monitor"
    launcher.parent.mkdir(parents=True)
    launcher.write_text('#!/bin/sh\necho "[$*] $(cat)"\n')
    launcher.chmod(0o755)
    (tmp_path / "project" / ".claude").mkdir(parents=True)
    return tmp_path


def settings(command: str) -> str:
    return json.dumps({"hooks": {"PostToolUse": [{"hooks": [{"type": "command", "command": command}]}]}})


def test_the_launcher_is_started_with_its_argument_and_its_stdin(home: Path) -> None:
    (home / ".claude" / "settings.json").write_text(settings("somebody-elses"))

    assert start(home, "monitor", "staleness").stdout == "[staleness] payload\n"


@pytest.mark.parametrize(
    "place", [".claude/settings.json", "project/.claude/settings.json", "project/.claude/settings.local.json"]
)
def test_it_is_silent_where_a_settings_file_has_our_hooks(home: Path, place: str) -> None:
    (home / place).write_text(settings(OURS))

    done = start(home, "monitor")

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_it_is_silent_where_nothing_is_installed(tmp_path: Path) -> None:
    done = start(tmp_path, "monitor")

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_another_configuration_directory_is_found(home: Path, tmp_path: Path) -> None:
    (home / ".claude").rename(tmp_path / "elsewhere")

    assert start(home, "monitor", CLAUDE_CONFIG_DIR=str(tmp_path / "elsewhere")).stdout == "[] payload\n"


def test_the_command_says_what_to_do_where_nothing_is_installed(tmp_path: Path) -> None:
    command = ["sh", str(plugin.PLUGIN / "bin" / "tidegauge"), "status"]
    done = subprocess.run(command, env={"HOME": str(tmp_path)}, capture_output=True, text=True, check=False)

    assert (done.returncode, done.stdout) == (1, "")
    assert "/tidegauge:setup" in done.stderr
