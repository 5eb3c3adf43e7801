"""Old exports are pruned by number and size; the person's own files never are."""

import os
import time
from pathlib import Path

import pytest

from monitor.exporting import folder
from monitor.exporting.folder import prune
from monitor.pivot.strategies import STRATEGIES, carry_out
from monitor.session import Project, Session
from shared.project_files import EXPORTED
from shared.settings.config import Config
from tests.monitor.conftest import Carried
from tests.monitor.exporting.conftest import root_of
from tests.monitor.exports import exported
from tests.monitor.workshop import Workshop

MEGABYTE = 1 << 20
THREE = 3 * (10 + 64)  # bytes of as many small ones: their texts, and their proofs


def export(project: Project, size: int = 10, name: str = "session.md") -> Path:
    with folder.new_export(root_of(project), project, None, "export") as directory, directory.create(name) as file:
        file.write(b"x" * size)
    return Path(directory.path)


def session_of(project: Project) -> Session:
    return Session(root_of(project), Config(), {}, time.time())


def test_without_a_folder_there_is_nothing_to_prune(project: Project) -> None:
    prune(session_of(project), project, 3, MEGABYTE)
    assert list(Path(project.directory).iterdir()) == []


def remaining(project: Project, most: int = 3, most_bytes: int = MEGABYTE) -> list[str]:
    prune(session_of(project), project, most, most_bytes)
    return [name[:3] for name in reversed(newest(project))]


def newest(project: Project) -> list[str]:
    with folder.opened(project, None) as (_, names):
        return names


def test_the_newest_are_kept(project: Project) -> None:
    for _ in range(5):
        export(project)
    assert remaining(project) == ["003", "004", "005"]
    assert remaining(project) == ["003", "004", "005"]


def test_exports_truncated_by_a_full_disk_do_not_count(project: Project) -> None:
    for _ in range(3):
        export(project)
    for _ in range(3):
        export(project, 0, "session.md.partial")
    export(project)
    assert remaining(project) == ["002", "003", "004", "005", "006", "007"]


def test_exports_are_kept_up_to_a_total_size(project: Project) -> None:
    for size in (10, MEGABYTE // 2, 10, MEGABYTE // 2, 10):
        export(project, size)
    assert remaining(project, 5) == ["001", "003", "004", "005"]


def test_an_export_pruned_by_size_does_not_count(project: Project) -> None:
    for size in (10, 10, MEGABYTE, 10):
        export(project, size)
    assert remaining(project, 2) == ["002", "004"]


@pytest.mark.parametrize(("most_bytes", "expected"), [(THREE, ["001", "002", "003"]), (THREE - 1, ["002", "003"])])
def test_an_export_that_just_fits_is_kept(project: Project, most_bytes: int, expected: list[str]) -> None:
    for _ in range(3):
        export(project, 10)
    assert remaining(project, 3, most_bytes) == expected


def test_the_newest_stays_however_large_it_is(project: Project) -> None:
    export(project)
    export(project, 2 * MEGABYTE)
    assert remaining(project) == ["002"]


def test_an_export_with_somebody_elses_file_is_kept(project: Project) -> None:
    marked, noted, nested = export(project), export(project), export(project)
    (marked / "keep").touch()
    (noted / "notes.md").write_text("mine")
    (nested / "session.md").unlink()
    (nested / "session.md").mkdir()
    for _ in range(4):
        export(project)
    assert remaining(project) == ["001", "002", "003", "005", "006", "007"]
    assert (noted / "session.md").exists()


def test_a_link_in_place_of_a_file_is_not_ours(project: Project, tmp_path: Path) -> None:
    (tmp_path / "mine.md").write_text("mine")
    linked = export(project)
    (linked / "session.md").unlink()
    (linked / "session.md").symlink_to(tmp_path / "mine.md")
    for _ in range(3):
        export(project)
    assert remaining(project) == ["001", "002", "003", "004"]


def test_a_copy_being_written_is_left_alone(project: Project) -> None:
    under_way, abandoned = export(project, name="session.md.partial"), export(project, name="session.md.partial")
    moment = time.time() - 7200
    os.utime(abandoned / "session.md.partial", (moment, moment))
    for _ in range(3):
        export(project)
    assert under_way.exists()
    assert remaining(project) == ["001", "003", "004", "005"]


def test_a_link_does_not_count(project: Project, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    _, link, _ = export(project), export(project), export(project)
    for file in link.iterdir():
        file.unlink()
    link.rmdir()
    link.symlink_to(tmp_path / "mine")
    assert remaining(project, 2) == ["001", "002", "003"]


def test_a_link_leads_nowhere(project: Project, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "session.md").write_text("mine")
    first = export(project)
    (first.parent / "000-export").symlink_to(tmp_path / "mine")
    (first.parent / "notes").mkdir()
    for _ in range(4):
        export(project)
    remaining(project)
    assert (tmp_path / "mine" / "session.md").read_text() == "mine"
    assert (first.parent / "notes").is_dir()


def test_directories_of_the_same_names_that_are_not_proven_stay(project: Project, tmp_path: Path) -> None:
    notes = tmp_path / "shop" / ".claude" / "tidegauge" / "exports"
    for number in range(1, 8):
        (notes / f"{number:03}-lecture").mkdir(parents=True)
        (notes / f"{number:03}-lecture" / "tasks.md").write_text("mine")
    for _ in range(4):
        export(project)
    assert remaining(project) == ["001", "002", "003", "004", "005", "006", "007", "009", "010", "011"]


def test_every_strategys_files_are_ours_and_pruned(workshop: Workshop, context: Carried) -> None:
    workshop.configure("pivot.keep_exports = 5")
    workshop.call("TodoWrite", todos=[{"content": "Rename the helper", "status": "pending"}])
    workshop.edit("src/app.py")
    for _ in range(6):
        for name in STRATEGIES:
            outcome = carry_out(name, context(is_asked=True))
            for file in outcome.files[:1]:
                assert {path.name for path in Path(file.path).parent.iterdir()} <= EXPORTED
    assert len(newest(context().project)) == 5


def test_twelve_sessions_leave_a_few_directories(workshop: Workshop, context: Carried) -> None:
    workshop.edit("src/app.py")
    for _ in range(12):
        exported(Path(carry_out("export", context()).files[0].path))  # what is being written isn't pruned
        carry_out("spawn", context())
    assert len(newest(context().project)) == 10
