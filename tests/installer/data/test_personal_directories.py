"""The person's data after an uninstallation: what stays, and what --purge removes."""

import json
import subprocess
from pathlib import Path

import pytest

from installer.data import personal_directories
from shared import paths
from tests.installer.conftest import Home


@pytest.fixture
def used(home: Home) -> Home:
    """A home with a configuration and a session's files in the data directory."""
    home.write(b'{"a": 1}')
    home.installed()
    home.configure("[pivot]\nenabled = false\n")
    (data(home) / "goals").mkdir(parents=True)
    (data(home) / "goals" / "0.json").write_text("{}", encoding="utf-8")
    (data(home) / "checkpoint-key").write_bytes(b"k")
    return home


def data(home: Home) -> Path:
    return Path(json.loads((home.root / "directories.json").read_bytes())["history"])


def test_remaining_files_are_named(used: Home) -> None:
    directory = data(used)
    output = used.installed("uninstall")

    assert f"  keep {directory}\n" in output
    assert f"  keep {used.path}/.config/tidegauge\n" in output
    assert output.count(".config/tidegauge") == 1
    assert "--purge removes what is kept as well" in output
    assert (directory / "goals" / "0.json").exists()


def test_a_purge_leaves_nothing_of_ours(used: Home) -> None:
    output = used.installed("uninstall", "--purge", "--yes")
    result = subprocess.run(["find", used.path, "-iname", "*tidegauge*"], capture_output=True, text=True, check=True)

    assert f"  remove {used.path}/.config/tidegauge\n" in output
    assert "yours and stay" not in output
    assert result.stdout == ""
    assert used.settings.read_bytes() == b'{"a": 1}'


def test_a_persons_file_among_ours_stays_and_is_named(used: Home) -> None:
    mine = [data(used) / "notes.md", used.path / ".config" / "tidegauge" / ".git" / "HEAD"]
    for path in mine:
        path.parent.mkdir(exist_ok=True)
        path.write_text("mine", encoding="utf-8")
    output = used.installed("uninstall", "--purge", "--yes")

    listed = output.partition("These are yours and stay:\n")[2].splitlines()
    assert listed == [f"  {used.path}/.config/tidegauge", f"  {mine[0].parent}"]
    left = [path for parent in (mine[0].parent, mine[1].parents[1]) for path in parent.rglob("*") if path.is_file()]
    assert left == mine


def test_a_purge_removes_every_file_we_write_there(tmp_path: Path) -> None:
    directory = tmp_path / "tidegauge"
    (tmp_path / "directories.json").write_text(json.dumps(dict.fromkeys(("config", "log", "history"), str(directory))))
    root = str(tmp_path)
    places = paths.config_file, paths.log_file, paths.checkpoint_key, paths.history_store, paths.report
    written = [place(root) for place in places] + [f"{paths.history_store(root)}{end}" for end in ("-wal", "-shm")]
    Path(paths.words_directory(root)).mkdir(parents=True)
    for path in written:
        Path(path).touch()

    assert personal_directories.remove([str(directory)]) == []
    assert not directory.exists()


def test_without_a_terminal_purging_has_to_be_confirmed_on_the_command_line(used: Home) -> None:
    before = used.tree()
    result = used.install("uninstall", "--purge")

    assert result.returncode == 1
    assert result.stderr == "install.py: --purge deletes what is yours, and there is no terminal to ask on: add --yes\n"
    assert result.stdout == ""
    assert used.tree() == before


def test_a_dry_run_purges_nothing(used: Home) -> None:
    before = used.tree()
    output = used.installed("uninstall", "--purge", "--dry-run")

    assert f"  remove {data(used)}\n" in output
    assert used.tree() == before


def test_a_directory_without_our_name_is_left(used: Home) -> None:
    directories = used.root / "directories.json"
    recorded = json.loads(directories.read_bytes()) | {"history": str(used.project)}
    directories.write_text(json.dumps(recorded), encoding="utf-8")
    (used.project / "mine").touch()
    result = used.install("uninstall", "--purge", "--yes")

    assert result.returncode == 1
    assert "doesn't look like one of our directories" in result.stderr
    assert (used.project / "mine").exists()


def test_nothing_is_purged_while_a_project_still_uses_it(used: Home) -> None:
    used.installed("--project", "--hooks")
    used.installed("--team")
    output = used.installed("--team", "uninstall", "--purge", "--yes")

    assert "stays, and what is yours with it: other settings files still use it." in output
    assert (data(used) / "goals").exists()


def test_purge_works_only_with_uninstall(home: Home) -> None:
    assert home.refused("--purge", code=2) == "install.py: unrecognized arguments: --purge (see install.py --help)"
