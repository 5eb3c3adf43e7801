"""Tidegauge as a person installs it: `install.py` run in an empty home, with the commands from settings.json."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from typing import Any, NamedTuple

from installer.settings import entries

REPOSITORY = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class BenchmarkInstallation(NamedTuple):
    """An installed Tidegauge, and the environment of its processes."""

    root: str
    status_line: list[str]
    hook: list[str]
    environment: Mapping[str, str]

    @property
    def python(self) -> str:
        return os.path.join(self.root, "environment", "bin", "python")

    @property
    def config_file(self) -> str:
        with open(os.path.join(self.root, "directories.json"), encoding="utf-8") as file:
            return os.path.join(json.load(file)["config"], "config.toml")

    def command(self, event: str, tool: str = "*") -> list[str]:
        """The command that the settings run at `event` for `tool`, or for every tool. Raises StopIteration."""
        with open(os.path.join(os.path.dirname(self.root), "settings.json"), encoding="utf-8") as file:
            groups = json.load(file)["hooks"][event]
        result = next(group for group in groups if tool in group.get("matcher", "*").split("|"))
        return _launcher(result["hooks"][0]["command"])

    def run_file(self, name: str) -> str:
        return os.path.join(self.root, "run", name)


def install(scratch: str) -> BenchmarkInstallation:
    """Install into `scratch`, a directory that exists. Raises CalledProcessError."""
    home = os.path.join(scratch, "home")
    os.mkdir(home)
    os.mkdir(os.path.join(scratch, "tmp"))
    environ = {"HOME": home, "TMPDIR": os.path.join(scratch, "tmp")}
    # Its packages come from this machine's usual index, so the rest of the environment stays.
    misleading = ("CLAUDE_", "XDG_", "TIDEGAUGE_")
    outer = {name: value for name, value in os.environ.items() if not name.startswith(misleading)} | environ
    python = os.path.realpath(sys.executable)  # a person's own, which has pip
    command = [python, os.path.join(REPOSITORY, "install.py"), "--yes", "--profile", "full"]
    subprocess.run(command, env=outer, check=True, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, cwd=scratch)
    with open(os.path.join(home, ".claude", "settings.json"), encoding="utf-8") as file:
        settings: dict[str, Any] = json.load(file)
    hook = settings["hooks"]["PostToolUse"][0]["hooks"][0]["command"]
    return BenchmarkInstallation(
        os.path.join(home, ".claude", "tidegauge"),
        _launcher(settings["statusLine"]["command"]),
        _launcher(hook),
        environ | _client_environment(),
    )


def _launcher(command: str) -> list[str]:
    """The command that the client's shell finally runs."""
    script = entries.script(command)
    assert script is not None, command  # noqa: S101  what we have just written
    return [script]


def _client_environment() -> dict[str, str]:
    """The environment that a client gives to its hooks and its status line."""
    return {
        "PATH": os.environ["PATH"],
        "LANG": "C.UTF-8",
        "TERM": "xterm-256color",
        "COLUMNS": "120",
        "LINES": "40",
        "CLAUDECODE": "1",
        "CLAUDE_CODE_ENTRYPOINT": "cli",
    }
