"""After the installation: repairs, updates and a removal without the clone, none of which block a session."""

import json
import os
import re
import shlex
import shutil
import subprocess
import threading
import time
from pathlib import Path

import pytest

from tests.installer.conftest import Home, clone


def session_commands(home: Home) -> list[str]:
    """The commands that an open client keeps running, whatever happens to settings.json."""
    settings = json.loads(home.settings.read_bytes())
    groups = [group for groups in settings["hooks"].values() for group in groups]
    return list(dict.fromkeys(handler["command"] for group in groups for handler in group["hooks"]))


@pytest.mark.usefixtures("copying")
def test_uninstalling_during_a_session_never_blocks_it(home: Home) -> None:
    home.installed("--profile", "full")
    commands = session_commands(home)
    codes: list[int] = []
    over = threading.Event()

    def run() -> None:
        while not over.is_set():
            for command in commands:
                result = subprocess.run(["sh", "-c", command], input=b"{}", capture_output=True, check=False)
                codes.append(result.returncode)

    hammers = [threading.Thread(target=run) for _ in range(3)]
    for hammer in hammers:
        hammer.start()
    home.installed("uninstall")
    time.sleep(0.2)
    over.set()
    for hammer in hammers:
        hammer.join()

    assert len(codes) > 10
    assert 2 not in codes
    # A launcher may vanish between a shell's check and its start, once for each of the three.
    assert set(codes) <= {0, 126, 127}
    assert len([code for code in codes if code != 0]) <= len(hammers)


@pytest.mark.parametrize(
    "damage",
    [
        "rm -rf environment",
        "rm environment/bin/python && ln -s /usr/bin/python3.none environment/bin/python",
        "rm -rf environment/lib",
        "rm bin/monitor bin/statusline.py",
    ],
)
def test_broken_parts_are_named_and_repaired(home: Home, damage: str) -> None:
    home.installed("--profile", "full")
    whole = home.settings.read_bytes()
    subprocess.run(["sh", "-c", damage], cwd=home.root, check=True)
    result = home.tidegauge("doctor")
    assert (result.returncode, result.stdout.splitlines()[0][:5]) == (1, "wrong")
    assert shlex.split(result.stdout.rpartition("run: ")[2]) == [f"{home.root}/bin/tidegauge", "repair"]
    repaired = home.tidegauge("repair")
    assert (repaired.returncode, repaired.stderr) == (0, "")

    assert home.tidegauge("--version").returncode == 0
    assert home.settings.read_bytes() == whole


def test_it_can_be_uninstalled_without_the_clone(home: Home, tmp_path: Path) -> None:
    before = home.tree()
    directory = clone(tmp_path / "clone")
    assert home.install(source=directory).returncode == 0
    shutil.rmtree(directory)
    assert home.tidegauge("install").returncode == 0
    result = home.tidegauge("uninstall", "--yes")

    assert (result.returncode, result.stderr) == (0, "")
    assert home.tree() == before


def test_an_update_runs_its_own_installer_with_the_earlier_choices(home: Home, tmp_path: Path) -> None:
    home.installed("--no-statusline")
    newer = clone(tmp_path / "newer")
    project = newer / "pyproject.toml"
    project.write_text(project.read_text("utf-8").replace('version = "0.1.0"', 'version = "0.2.0"'), "utf-8")
    result = home.tidegauge("update", "--from", str(newer))

    assert (result.returncode, result.stderr) == (0, "")
    last = result.stdout.splitlines()[-1]
    assert re.fullmatch(r"Version 0\.2\.0.* replaces 0\.1\.0.*: what is new is in .*/CHANGELOG\.md", last)
    assert home.tidegauge("--version").stdout.startswith("tidegauge 0.2.0")
    assert list(json.loads(home.settings.read_bytes())) == ["hooks"]


def test_an_update_from_a_foreign_folder_is_refused(home: Home, tmp_path: Path) -> None:
    home.installed()
    result = home.tidegauge("update", "--from", str(tmp_path))

    assert result.returncode == 1
    assert result.stderr == f"tidegauge: {tmp_path} isn't a Tidegauge checkout: it has no shared\n"


def test_it_asks_nothing_without_a_terminal_and_prints_the_summary(home: Home) -> None:
    lines = home.installed().splitlines()[:5]

    assert lines[0].startswith("Tidegauge 0.")
    assert [line.split()[0] for line in lines[1:]] == ["adds", "keeps", "wraps", "undo"]


def test_a_teams_entries_are_harmless_for_others(home: Home) -> None:
    home.installed("--team")
    settings = home.project / ".claude" / "settings.json"
    contents = settings.read_text(encoding="utf-8")

    assert str(home.path) not in contents
    assert "statusLine" not in contents
    for group in json.loads(contents)["hooks"]["PostToolUse"]:
        command = group["hooks"][0]["command"]
        for person in (home.path, home.project):
            environ = home.environ | {"HOME": str(person)}
            result = subprocess.run(["sh", "-c", command], env=environ, input=b"{}", capture_output=True, check=False)
            assert (result.returncode, result.stdout, result.stderr) == (0, b"", b"")
    home.installed("--team", "uninstall")
    assert not (home.project / ".claude").exists()


@pytest.mark.usefixtures("copying")
def test_the_copy_records_the_clones_commit(home: Home) -> None:
    home.installed()
    command = ["git", "-C", os.path.dirname(os.path.dirname(os.path.dirname(__file__))), "rev-parse", "HEAD"]
    commit = subprocess.run(command, capture_output=True, text=True, check=True).stdout[:10]

    assert home.tidegauge("--version").stdout == f"tidegauge 0.1.0 ({commit})\n"


def test_settings_that_git_does_not_ignore_bring_a_notice(home: Home) -> None:
    notice = f"Git does not ignore {home.project}/.claude/settings.local.json yet"
    assert notice not in home.installed("--project", "--dry-run")
    subprocess.run(["git", "init", "-q", home.project], check=True)
    assert notice in home.installed("--project", "--dry-run")
    (home.project / ".gitignore").write_text(".claude/settings.local.json\n", encoding="utf-8")

    assert notice not in home.installed("--project", "--dry-run")
