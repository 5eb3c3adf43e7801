"""The client's plugin matches the installer's table, and runs nothing twice."""

import json
import os
import re
import shutil
import struct
import subprocess
from pathlib import Path

import pytest
import yaml

from docs import plugin
from installer.program import client_files
from shared.registrations import REGISTRATIONS, enabled
from shared.settings.config import Hooks

pytestmark = pytest.mark.any_python

RUN = plugin.PLUGIN / "hooks" / "run"
OURS = '[ ! -x "/h/.claude/tidegauge/bin/monitor" ] || "/h/.claude/tidegauge/bin/monitor"'


@pytest.mark.parametrize("path", plugin.files(), ids=lambda path: str(path.relative_to(plugin.REPOSITORY)))
def test_a_file_is_up_to_date(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == plugin.files()[path], "python -m docs.generate"


def test_every_core_hook_is_in_the_plugin_with_its_launcher_and_timeout() -> None:
    document = json.loads((plugin.PLUGIN / "hooks" / "hooks.json").read_text(encoding="utf-8"))
    names = [
        (event, group["matcher"], handler["command"].split('hooks/run" ')[1], handler["timeout"])
        for event, groups in document["hooks"].items()
        for group in groups
        for handler in group["hooks"]
    ]
    core = [entry for entry in REGISTRATIONS if any(getattr(Hooks(), part) for part in entry.parts)]

    assert sorted(names) == sorted(
        (
            entry.event,
            entry.matcher,
            entry.launcher or f"monitor-event {entry.argument}".strip(),
            entry.timeout,
        )
        for entry in core
    )
    assert len(names) == len(enabled({part: getattr(Hooks(), part) for part in Hooks.__struct_fields__}))


@pytest.mark.parametrize("name", ["hooks/run", "bin/tidegauge"])
def test_a_script_may_be_executed(name: str) -> None:
    assert os.access(plugin.PLUGIN / name, os.X_OK)


def start(home: Path, *arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    """Run the plugin's hook in `home`, whose launcher prints its arguments and its stdin."""
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
def test_it_is_silent_if_a_settings_file_has_our_hooks(home: Path, place: str) -> None:
    (home / place).write_text(settings(OURS))

    result = start(home, "monitor")

    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


def test_without_an_installation_the_person_is_told_once(tmp_path: Path) -> None:
    data = tmp_path / "plugins" / "data"
    answers = [start(tmp_path, "monitor-event", CLAUDE_PLUGIN_DATA=str(data)) for _ in range(3)]

    assert "/tidegauge:setup" in json.loads(answers[0].stdout)["systemMessage"]
    assert [(result.returncode, result.stdout, result.stderr) for result in answers[1:]] == [(0, "", "")] * 2


@pytest.mark.parametrize("data", ["", "/proc/nowhere"])
def test_it_is_silent_if_it_cannot_remember_having_told(tmp_path: Path, data: str) -> None:
    result = start(tmp_path, "monitor", CLAUDE_PLUGIN_DATA=data)

    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


def test_programs_in_a_relative_directory_of_path_are_not_run(home: Path) -> None:
    (home / ".claude" / "settings.json").write_text(settings("somebody-elses"))
    (home / "cat").write_text("#!/bin/sh\necho run >mark\n")
    (home / "cat").chmod(0o755)
    result = subprocess.run(
        ["sh", str(RUN), "monitor"],
        cwd=home,
        env={"HOME": str(home), "PATH": f".:{os.environ['PATH']}", "CLAUDE_PROJECT_DIR": str(home / "project")},
        input="payload",
        capture_output=True,
        text=True,
        check=False,
    )

    assert result.stdout == "[] payload\n"
    assert not (home / "mark").exists()


def test_another_configuration_directory_is_found(home: Path, tmp_path: Path) -> None:
    (home / ".claude").rename(tmp_path / "elsewhere")

    assert start(home, "monitor", CLAUDE_CONFIG_DIR=str(tmp_path / "elsewhere")).stdout == "[] payload\n"


def test_without_an_installation_the_command_says_what_to_do(tmp_path: Path) -> None:
    command = ["sh", str(plugin.PLUGIN / "bin" / "tidegauge"), "status"]
    result = subprocess.run(command, env={"HOME": str(tmp_path)}, capture_output=True, text=True, check=False)

    assert (result.returncode, result.stdout) == (1, "")
    assert "/tidegauge:setup" in result.stderr


@pytest.fixture
def cached(tmp_path: Path) -> Path:
    """The plugin as the client copies it, without the repository."""
    return Path(shutil.copytree(plugin.PLUGIN, tmp_path / "cache" / "tidegauge"))


def set_up(home: Path, command: Path) -> subprocess.CompletedProcess[str]:
    environ = {"HOME": str(home), "PATH": os.environ["PATH"]}
    arguments = ["sh", str(command), "install", "--no-hooks", "--no-companions", "--dry-run"]
    return subprocess.run(arguments, env=environ, cwd=home, capture_output=True, text=True, check=False)


def test_the_set_up_runs_the_marketplaces_installer(tmp_path: Path, cached: Path) -> None:
    marketplaces = tmp_path / ".claude" / "plugins" / "known_marketplaces.json"
    marketplaces.parent.mkdir(parents=True)
    other = {"source": {"source": "directory", "path": "/other"}, "installLocation": "/other"}
    ours = {"source": {"source": "directory", "path": "x"}, "installLocation": str(plugin.REPOSITORY)}
    marketplaces.write_text(json.dumps({"other": other, "tidegauge": ours}, indent=2))
    result = set_up(tmp_path, cached / "bin" / "tidegauge")

    assert (result.returncode, result.stderr) == (0, "")
    assert "A dry run: nothing was written." in result.stdout


def test_without_the_repository_the_set_up_says_what_to_do_without_a_package_index(
    tmp_path: Path, cached: Path
) -> None:
    result = set_up(tmp_path, cached / "bin" / "tidegauge")

    assert result.returncode == 1
    assert result.stderr == (
        "tidegauge: the repository of this plugin isn't here; clone it, and run in the clone: python3 install.py\n"
    )
    paths = [path for path in plugin.PLUGIN.rglob("*") if path.is_file() and path.suffix != ".png"]
    assert not [path for path in paths if re.search(r"\b(uvx|pipx|pip)\b", path.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("path", ["skills/setup/SKILL.md", *client_files.NAMES])
def test_files_for_the_client_have_front_matter(path: str) -> None:
    text = (plugin.PLUGIN / path).read_text(encoding="utf-8")
    matter = yaml.safe_load(text.split("---\n")[1])

    assert text.startswith("---\n")
    assert matter["description"]


def test_the_repositorys_address_is_in_one_place(monkeypatch: pytest.MonkeyPatch) -> None:
    address = "https://example.org/somebody/tidegauge"
    monkeypatch.setattr(plugin, "repository", lambda: address)
    contents = plugin.files()
    manifest = json.loads(contents[plugin.PLUGIN / ".claude-plugin" / "plugin.json"])

    assert (manifest["homepage"], manifest["repository"]) == (address, address)
    assert f"/plugin marketplace add {address}\n" in contents[plugin.PLUGIN / "README.md"]


def test_the_icon_is_a_square_picture_of_512_pixels() -> None:
    picture = (plugin.PLUGIN / ".claude-plugin" / "icon.png").read_bytes()

    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", picture[16:24]) == (512, 512)
