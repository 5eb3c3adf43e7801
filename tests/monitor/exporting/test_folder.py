"""The directories that pivots write into."""

import os
import stat
import sys
from pathlib import Path

import pytest

from monitor.checkpoints import proof
from monitor.exporting import folder
from monitor.session import Project
from shared import project_files
from shared.project_files import EXPORTS
from tests.monitor.exporting.conftest import root_of

links = pytest.mark.skipif(sys.platform == "win32", reason="needs a privilege there")


def add(project: Project, configured: str | None, name: str) -> str:
    with folder.new_export(root_of(project), project, configured, name) as directory:
        return directory.path


def newest(project: Project, configured: str | None) -> list[str]:
    with folder.opened(project, configured) as (directory, names):
        return [os.path.join(directory.path, name) for name in names]


def test_each_gets_the_next_number(project: Project) -> None:
    exports = [add(project, None, name) for name in ("export", "chunk", "export")]

    assert [os.path.basename(path) for path in exports] == ["001-export", "002-chunk", "003-export"]
    assert {os.path.dirname(path) for path in exports} == {os.path.join(project.directory, EXPORTS)}


def test_numbers_go_on_after_gaps_and_beside_other_files(project: Project) -> None:
    parent = Path(add(project, None, "export")).parent
    (parent / "041-spawn").mkdir()
    (parent / "notes.md").touch()

    assert os.path.basename(add(project, None, "export")) == "042-export"


@pytest.mark.skipif(sys.platform == "win32", reason="has no modes")
def test_directories_are_private(project: Project) -> None:
    assert stat.S_IMODE(os.stat(add(project, None, "export")).st_mode) == 0o700


def test_a_person_may_place_them_elsewhere(project: Project, tmp_path: Path) -> None:
    export = add(project, str(tmp_path / "exports"), "export")

    assert export == str(tmp_path / "exports" / "001-export")


def test_the_newest_come_first_and_other_files_are_not_listed(project: Project) -> None:
    exports = [add(project, None, "export") for _ in range(11)]
    for name in ("notes.md", "12-export", "013-Export", "9000000-export"):
        Path(exports[0]).with_name(name).touch()
    assert newest(project, None) == exports[::-1]


@links
def test_a_new_file_is_not_written_through_a_link(project: Project, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine")
    with folder.new_export(root_of(project), project, None, "export") as directory:
        os.symlink(tmp_path / "mine", os.path.join(directory.path, "session.md"))

        with pytest.raises(FileExistsError):
            directory.create("session.md")

    assert (tmp_path / "mine").read_text() == "mine"


def test_a_foreign_number_disables_nothing(project: Project) -> None:
    export = add(project, None, "export")
    for name in ("999999999-export", "1000000000-export"):
        Path(export).with_name(name).mkdir()
    newer = add(project, None, "export")
    assert os.path.basename(newer) == "002-export"
    assert newest(project, None) == [newer, export]


def test_each_export_has_its_proof(project: Project) -> None:
    proof_bytes = Path(add(project, None, "export"), project_files.PROOF).read_bytes()

    assert proof.holds(root_of(project), project.directory, "exports/001-export", b"", proof_bytes)
    assert not proof.holds(root_of(project), project.directory, "exports/002-export", b"", proof_bytes)


def test_without_a_key_an_export_is_still_made(root: Path, project: Project) -> None:
    (root.parents[1] / "data").write_text("in the way of the directory")

    assert os.listdir(add(project, None, "export")) == []
