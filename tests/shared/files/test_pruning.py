import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from shared.files.pruning import DAY, RETENTION_SECONDS, outlived_before, prune

NOW = 1_800_000_000.0
STATE = ("claude-ctx-s.json", "gate-s", "gate-s.a1", "memory-s.json", "memory-s.a1.json", ".gate-s.123.tmp")


def touch(directory: Path, names: tuple[str, ...], age: float) -> None:
    for name in names:
        (directory / name).touch()
        os.utime(directory / name, (NOW - age, NOW - age))


def use(directory: Path) -> list[str]:
    """Make a file for each day of a week's use; return their names."""
    days = [f"day-{number}" for number in range(7)]
    for number, name in enumerate(days):
        touch(directory, (name,), number * DAY)
    return days


def test_state_untouched_for_a_week_is_removed(tmp_path: Path) -> None:
    assert RETENTION_SECONDS == 604_800
    days = use(tmp_path)
    touch(tmp_path, STATE, RETENTION_SECONDS + 1)
    prune(str(tmp_path), NOW)
    assert sorted(os.listdir(tmp_path)) == days


@pytest.mark.parametrize("days_ahead", [8, 100, 30_000])
def test_a_clock_ahead_counts_as_one_pause_however_often_it_is_read(tmp_path: Path, days_ahead: int) -> None:
    days = use(tmp_path)
    for written in ("first", "second"):
        touch(tmp_path, (written,), -days_ahead * DAY)
        prune(str(tmp_path), NOW + days_ahead * DAY, 90 * DAY)
    assert sorted(os.listdir(tmp_path)) == [*days, "first", "second"]
    prune(str(tmp_path), NOW, 90 * DAY)
    assert sorted(os.listdir(tmp_path)) == [*days, "first", "second"]


@pytest.mark.parametrize(
    ("ages", "expected"),
    [
        ((), 30),
        (range(40), 30),
        (range(0, 40, 3), 30),  # weekends
        (range(60, 100), 87),  # a long pause, or a clock that is ahead
        (range(0, 400, 7), 70),
        ((-50, -40, *range(40)), 30),
    ],
)
def test_a_pause_counts_as_three_days_at_most(ages: Sequence[int], expected: int) -> None:
    assert outlived_before([NOW - age * DAY for age in ages], NOW, 30 * DAY) == NOW - expected * DAY


def test_younger_state_stays(tmp_path: Path) -> None:
    touch(tmp_path, STATE, RETENTION_SECONDS - 1)
    prune(str(tmp_path), NOW)
    assert sorted(os.listdir(tmp_path)) == sorted(STATE)


def test_a_link_is_removed_and_not_its_target(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    days = use(tmp_path / "run")
    touch(tmp_path, ("precious",), RETENTION_SECONDS + 1)
    (tmp_path / "run" / "gate-s").symlink_to(tmp_path / "precious")
    os.utime(tmp_path / "run" / "gate-s", (NOW - RETENTION_SECONDS - 1,) * 2, follow_symlinks=False)
    prune(str(tmp_path / "run"), NOW)
    assert sorted(os.listdir(tmp_path / "run")) == days
    assert (tmp_path / "precious").exists()


def test_a_directory_of_that_name_stays(tmp_path: Path) -> None:
    days = use(tmp_path)
    (tmp_path / "gate-s").mkdir()
    os.utime(tmp_path / "gate-s", (0, 0))
    prune(str(tmp_path), NOW)
    assert sorted(os.listdir(tmp_path)) == [*days, "gate-s"]


def test_without_a_directory_there_is_nothing_to_prune(tmp_path: Path) -> None:
    prune(str(tmp_path / "none"), NOW)
    assert os.listdir(tmp_path) == []


def test_a_links_age_is_its_own(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    use(tmp_path / "run")
    touch(tmp_path, ("precious",), RETENTION_SECONDS + 1)
    link = tmp_path / "run" / "gate-s"
    link.symlink_to(tmp_path / "precious")
    os.utime(link, (NOW, NOW), follow_symlinks=False)
    prune(str(tmp_path / "run"), NOW)
    assert link.is_symlink()


def test_directories_and_files_of_exactly_a_week_stay(tmp_path: Path) -> None:
    (tmp_path / "directory").mkdir()
    days = use(tmp_path)
    touch(tmp_path, ("directory",), RETENTION_SECONDS + 1)
    touch(tmp_path, ("gate-s",), RETENTION_SECONDS)
    prune(str(tmp_path), NOW)
    assert sorted(os.listdir(tmp_path)) == [*days, "directory", "gate-s"]
    prune(str(tmp_path / "missing"), NOW)
