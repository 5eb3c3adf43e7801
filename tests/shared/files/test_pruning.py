import os
from pathlib import Path

from shared.files.pruning import RETENTION_SECONDS, prune

NOW = 1_800_000_000.0
STATE = ("claude-ctx-s.json", "gate-s", "gate-s.a1", "memory-s.json", "memory-s.a1.json", ".gate-s.123.tmp")


def touch(directory: Path, names: tuple[str, ...], age: float) -> None:
    for name in names:
        (directory / name).touch()
        os.utime(directory / name, (NOW - age, NOW - age))


def test_state_that_nothing_touched_for_a_week_is_removed(tmp_path: Path) -> None:
    assert RETENTION_SECONDS == 604_800
    touch(tmp_path, STATE, RETENTION_SECONDS + 1)
    prune(str(tmp_path), NOW)
    assert os.listdir(tmp_path) == []


def test_younger_state_stays(tmp_path: Path) -> None:
    touch(tmp_path, STATE, RETENTION_SECONDS - 1)
    prune(str(tmp_path), NOW)
    assert sorted(os.listdir(tmp_path)) == sorted(STATE)


def test_a_link_is_removed_and_not_what_it_leads_to(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    touch(tmp_path, ("precious",), RETENTION_SECONDS + 1)
    (tmp_path / "run" / "gate-s").symlink_to(tmp_path / "precious")
    os.utime(tmp_path / "run" / "gate-s", (NOW - RETENTION_SECONDS - 1,) * 2, follow_symlinks=False)
    prune(str(tmp_path / "run"), NOW)
    assert os.listdir(tmp_path / "run") == []
    assert (tmp_path / "precious").exists()


def test_a_directory_of_that_name_stays(tmp_path: Path) -> None:
    (tmp_path / "gate-s").mkdir()
    os.utime(tmp_path / "gate-s", (0, 0))
    prune(str(tmp_path), NOW)
    assert os.listdir(tmp_path) == ["gate-s"]


def test_without_a_directory_there_is_nothing_to_prune(tmp_path: Path) -> None:
    prune(str(tmp_path / "none"), NOW)
    assert os.listdir(tmp_path) == []


def test_a_link_is_as_old_as_itself(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    touch(tmp_path, ("precious",), RETENTION_SECONDS + 1)
    link = tmp_path / "run" / "gate-s"
    link.symlink_to(tmp_path / "precious")
    os.utime(link, (NOW, NOW), follow_symlinks=False)
    prune(str(tmp_path / "run"), NOW)
    assert link.is_symlink()


def test_directories_stay_and_what_is_just_a_week_old(tmp_path: Path) -> None:
    (tmp_path / "directory").mkdir()
    touch(tmp_path, ("directory",), RETENTION_SECONDS + 1)
    touch(tmp_path, ("gate-s",), RETENTION_SECONDS)
    prune(str(tmp_path), NOW)
    assert sorted(os.listdir(tmp_path)) == ["directory", "gate-s"]
    prune(str(tmp_path / "missing"), NOW)
