"""The directories that pivots write into."""

import os
import stat
import sys
from pathlib import Path

import pytest

from monitor.exporting import folder
from monitor.session import Project

links = pytest.mark.skipif(sys.platform == "win32", reason="needs a privilege there")


@pytest.fixture
def project(tmp_path: Path) -> Project:
    (tmp_path / "shop").mkdir()
    return Project(os.path.realpath(tmp_path / "shop"), str(tmp_path / "shop"))


def test_each_gets_the_next_number(project: Project) -> None:
    made = [folder.add(project, None, name) for name in ("export", "chunk", "export")]

    assert [os.path.basename(path) for path in made] == ["001-export", "002-chunk", "003-export"]
    assert {os.path.dirname(path) for path in made} == {os.path.join(project.directory, folder.DEFAULT)}


def test_numbers_go_on_after_gaps_and_beside_other_files(project: Project) -> None:
    parent = Path(folder.add(project, None, "export")).parent
    (parent / "041-spawn").mkdir()
    (parent / "notes.md").touch()

    assert os.path.basename(folder.add(project, None, "export")) == "042-export"


@pytest.mark.skipif(sys.platform == "win32", reason="has no modes")
def test_directories_are_private(project: Project) -> None:
    assert stat.S_IMODE(os.stat(folder.add(project, None, "export")).st_mode) == 0o700


def test_a_person_may_place_them_elsewhere(project: Project, tmp_path: Path) -> None:
    made = folder.add(project, str(tmp_path / "exports"), "export")

    assert made == str(tmp_path / "exports" / "001-export")


def test_a_new_file_holds_what_can_be_written(project: Project) -> None:
    path = os.path.join(folder.add(project, None, "export"), "tasks.md")
    folder.write(path, "t\u00e4sks \ud800")
    assert Path(path).read_bytes() == "t\u00e4sks ?".encode()


def test_the_newest_stand_first_and_other_files_nowhere(project: Project) -> None:
    made = [folder.add(project, None, "export") for _ in range(11)]
    for name in ("notes.md", "12-export", "013-Export", "0000000014-export"):
        Path(made[0]).with_name(name).touch()
    assert folder.newest(project, None) == made[::-1]


@links
def test_a_new_file_is_not_written_through_a_link(project: Project, tmp_path: Path) -> None:
    made = folder.add(project, None, "export")
    (tmp_path / "mine").write_text("mine")
    os.symlink(tmp_path / "mine", os.path.join(made, "session.md"))

    with pytest.raises(FileExistsError):
        folder.write(os.path.join(made, "session.md"), "ours")

    assert (tmp_path / "mine").read_text() == "mine"
