"""Numbered files and folders, in the project or where the person says, never through a link out of it."""

import os
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from monitor.numbered_folder import NumberedFolder, OutsideProjectError, numbered_folder
from monitor.session import Project
from shared.files.directory import Directory

DEFAULT = os.path.join(".ours", "tidegauge", "things")
links = pytest.mark.skipif(sys.platform == "win32", reason="needs a privilege there")


@pytest.fixture
def project(tmp_path: Path) -> Project:
    (tmp_path / "shop").mkdir()
    return Project(os.path.realpath(tmp_path / "shop"), str(tmp_path / "shop"))


def add(folder: NumberedFolder) -> str:
    def make(directory: Directory, number: int) -> str:
        directory.make_directory(f"{number:03}")
        return f"{number:03}"

    def ours(directory: Directory) -> list[int]:
        numbers = [int(name) for name in directory.names() if name.isdecimal()]
        return sorted((number for number in numbers if number < 1_000), reverse=True)

    return folder.add(re.compile("([0-9]+)"), make, ours)


def test_the_number_after_the_highest_is_next(project: Project) -> None:
    folder = numbered_folder(project, None, DEFAULT)
    assert folder.names() == frozenset()
    assert [add(folder), add(folder)] == ["001", "002"]
    os.mkdir(os.path.join(folder.path, "041"))
    os.mkdir(os.path.join(folder.path, "99x"))
    os.mkdir(os.path.join(folder.path, "043"))
    os.mkdir(os.path.join(folder.path, "999999999"))
    assert [add(folder), add(folder)] == ["044", "045"]


def test_simultaneous_processes_get_different_numbers(project: Project) -> None:
    folder = numbered_folder(project, None, DEFAULT)
    with ThreadPoolExecutor(8) as pool:
        names = list(pool.map(lambda _: add(folder), range(40)))
    assert sorted(names) == [f"{number:03}" for number in range(1, 41)]


def test_failing_to_get_a_number_raises_an_error(project: Project) -> None:
    def occupy(directory: Directory, number: int) -> None:
        raise FileExistsError

    with pytest.raises(OSError, match="no free number"):
        numbered_folder(project, None, DEFAULT).add(re.compile("([0-9]+)"), occupy, lambda _: [])


def test_the_project_does_not_commit_our_files(project: Project) -> None:
    folder = numbered_folder(project, None, DEFAULT)
    add(folder)
    ignore = Path(project.directory) / ".ours" / "tidegauge" / ".gitignore"
    assert ignore.read_text() == "*\n"
    for brought in ("", "!*\n", "!things\n"):
        ignore.write_text(brought)
        add(folder)
        assert ignore.read_text() == "*\n"


def test_a_person_may_place_it_elsewhere(project: Project, tmp_path: Path) -> None:
    folder = numbered_folder(project, str(tmp_path / "elsewhere" / "things"), DEFAULT)
    add(folder)
    assert sorted(path.name for path in (tmp_path / "elsewhere").iterdir()) == ["things"]
    assert list(Path(project.directory).iterdir()) == []


@pytest.mark.parametrize("configured", ["../elsewhere", "deep/../../elsewhere"])
def test_a_relative_place_stays_in_the_project(project: Project, configured: str) -> None:
    with pytest.raises(OutsideProjectError, match="leads out of the project"):
        numbered_folder(project, configured, DEFAULT)


@links
def test_a_link_out_of_the_project_is_refused(project: Project, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (Path(project.directory) / ".ours").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OutsideProjectError):
        numbered_folder(project, None, DEFAULT)


@links
def test_a_link_as_gitignore_is_not_followed(project: Project, tmp_path: Path) -> None:
    ignore = Path(project.directory) / ".ours" / "tidegauge" / ".gitignore"
    ignore.parent.mkdir(parents=True)
    ignore.symlink_to(tmp_path / "victim")
    assert add(numbered_folder(project, None, DEFAULT)) == "001"
    assert not (tmp_path / "victim").exists()
    assert ignore.read_text() == "*\n"


def test_a_directory_as_gitignore_disables_nothing(project: Project) -> None:
    (Path(project.directory) / ".ours" / "tidegauge" / ".gitignore" / "full").mkdir(parents=True)
    assert add(numbered_folder(project, None, DEFAULT)) == "001"
