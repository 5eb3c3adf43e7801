"""Uninstalling and the checkpoints and exports that the installed hooks and command left in projects."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from benchmarks import transcript
from commands.session.projects import folder_name
from tests.installer.conftest import Home

SESSION = "5b0c6a1e-0000-4000-8000-000000000001"


@pytest.fixture
def used(home: Home) -> Home:
    """An installation with a session of the project, which left a checkpoint and an export."""
    home.installed()
    start_session(home, home.project)
    save(home)
    return home


def start_session(home: Home, project: Path) -> Path:
    """Write a transcript in the client's own folder, which reveals the project."""
    path = home.client / "projects" / folder_name(str(project)) / f"{SESSION}.jsonl"
    path.parent.mkdir(parents=True)
    transcript.write(str(path), 0, 142_000)
    path.write_bytes(path.read_bytes().replace(b"/home/dev/shop", os.fsencode(project)))
    return path


def save(home: Home) -> None:
    result = home.tidegauge("status", "--session", SESSION, "--pivot", "export")
    assert (result.returncode, result.stderr) == (0, "")
    assert names(home.project) == {
        ".gitignore",
        *("cx-001-checkpoint.json", "cx-001-checkpoint.json.proof"),
        *(".proof", "session.md", "transcript.jsonl.gz"),
    }


def folder(project: Path) -> Path:
    return project / ".claude" / "tidegauge"


def names(project: Path) -> set[str]:
    return {path.name for path in folder(project).rglob("*") if not path.is_dir()}


def test_without_purge_a_projects_folder_is_named_and_left(used: Home) -> None:
    output = used.installed("uninstall")

    assert f"  keep {folder(used.project)} (5 files)\n" in output
    assert output.count(str(folder(used.project))) == 1
    assert "--purge removes what is kept as well, but nothing in a project that isn't proven to be ours." in output
    assert len(names(used.project)) == 6


def test_a_text_that_cannot_be_a_path_is_no_project(used: Home) -> None:
    (used.path / ".claude.json").write_text(r'{"projects": {"/\ud800": {}, "/\u0000": {}}}')
    (used.client / "projects" / "-x").mkdir()
    (used.client / "projects" / "-x" / "a.jsonl").write_text(r'{"cwd": "/\ud800"}')

    assert f"  keep {folder(used.project)} (5 files)\n" in used.installed("uninstall")


def test_purging_removes_proven_files_and_empty_directories(used: Home) -> None:
    output = used.installed("uninstall", "--purge", "--yes")

    assert f"  remove {folder(used.project)} (5 files proven to be ours)\n" in output
    assert "keep" not in output
    assert list(used.project.iterdir()) == []


def test_a_dry_run_names_it_and_removes_nothing(used: Home) -> None:
    output = used.installed("uninstall", "--purge", "--dry-run")

    assert f"  remove {folder(used.project)} (5 files proven to be ours)\n" in output
    assert len(names(used.project)) == 6


def test_unproven_files_are_named_and_left(used: Home) -> None:
    checkpoints, exports = folder(used.project) / "checkpoints", folder(used.project) / "exports"
    own = checkpoints / "cx-001-checkpoint.json"
    forged = {
        checkpoints / "cx-002-checkpoint.json": own.read_bytes(),
        checkpoints / "cx-002-checkpoint.json.proof": Path(f"{own}.proof").read_bytes(),
        checkpoints / "cx-003-checkpoint.json": b"{}",
        exports / "002-export" / "session.md": b"# Mine",
        exports / "003-export" / "session.md": b"# Copied",
        exports / "003-export" / ".proof": (exports / "001-export" / ".proof").read_bytes(),
    }
    for path, data in forged.items():
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
    output = used.installed("uninstall", "--purge", "--yes")

    assert f"  remove {folder(used.project)} (5 files proven to be ours)\n" in output
    assert f"  keep {folder(used.project)} (6 files not proven to be ours)\n" in output
    assert {path: path.read_bytes() for path in forged} == forged
    assert names(used.project) == {path.name for path in forged} | {".gitignore"}


def test_a_changed_checkpoint_is_left(used: Home) -> None:
    own = folder(used.project) / "checkpoints" / "cx-001-checkpoint.json"
    own.write_bytes(own.read_bytes() + b" ")
    used.installed("uninstall", "--purge", "--yes")

    assert own.exists()
    assert Path(f"{own}.proof").exists()


def test_an_export_with_a_persons_file_is_left(used: Home) -> None:
    export = folder(used.project) / "exports" / "001-export"
    (export / "keep").touch()
    output = used.installed("uninstall", "--purge", "--yes")

    assert f"  keep {folder(used.project)} (4 files not proven to be ours)\n" in output
    assert sorted(path.name for path in export.iterdir()) == [".proof", "keep", "session.md", "transcript.jsonl.gz"]


@pytest.mark.parametrize("linked", [".claude", ".claude/tidegauge", ".claude/tidegauge/exports"])
def test_no_link_is_followed(used: Home, tmp_path: Path, linked: str) -> None:
    place = used.project / linked
    (tmp_path / "elsewhere").mkdir()
    place.rename(tmp_path / "elsewhere" / "moved")
    place.symlink_to(tmp_path / "elsewhere" / "moved")
    used.installed("uninstall", "--purge", "--yes")

    assert place.is_symlink()
    assert list((tmp_path / "elsewhere").rglob("transcript.jsonl.gz")) != []


def test_a_linked_files_target_is_left(used: Home, tmp_path: Path) -> None:
    own = folder(used.project) / "checkpoints" / "cx-001-checkpoint.json"
    own.rename(tmp_path / "moved.json")
    own.symlink_to(tmp_path / "moved.json")
    used.installed("uninstall", "--purge", "--yes")

    assert (tmp_path / "moved.json").exists()


def test_a_project_that_has_moved_is_no_longer_proven(used: Home) -> None:
    moved = used.path / "moved"
    (used.project / ".claude").rename(moved)
    used.project.rename(used.path / "other")
    used.project.mkdir()
    other = used.path / "other"
    moved.rename(other / ".claude")
    (used.path / ".claude.json").write_text(json.dumps({"projects": {str(other): {}, "relative": {}, "/gone": {}}}))
    output = used.installed("uninstall", "--purge", "--yes")

    assert f"  keep {folder(other)} (5 files not proven to be ours)\n" in output
    assert len(names(other)) == 6


def test_directories_chosen_by_the_person_are_searched(home: Home, tmp_path: Path) -> None:
    chosen = tmp_path / "saved work"
    chosen.mkdir()
    (chosen / "notes.md").write_text("mine")
    home.configure(f'[checkpoint]\ndirectory = "{chosen}"\n[pivot]\nexport_directory = "kept/exports"\n')
    home.installed()
    start_session(home, home.project)
    assert home.tidegauge("status", "--session", SESSION, "--pivot", "export").returncode == 0
    output = home.installed("uninstall", "--purge", "--yes")

    assert f"  remove {chosen} (2 files proven to be ours)\n" in output
    assert f"  keep {chosen} (1 file not proven to be ours)\n" in output
    assert f"  remove {home.project}/kept/exports (3 files proven to be ours)\n" in output
    assert [path.name for path in chosen.iterdir()] == ["notes.md"]
    assert not (home.project / "kept" / "exports").exists()


def test_a_session_in_the_home_itself_leaves_nothing_behind(home: Home) -> None:
    home.installed()
    home.project = home.path
    start_session(home, home.path)
    result = home.tidegauge("status", "--session", SESSION, "--pivot", "export")
    assert result.returncode == 0
    output = home.installed("uninstall", "--purge", "--yes")
    search = subprocess.run(["find", home.path, "-iname", "*tidegauge*"], capture_output=True, text=True, check=True)

    assert re.search(r"remove .*/\.claude/tidegauge \(5 files proven to be ours\)", output)
    assert "yours and stay" not in output
    assert search.stdout == ""
