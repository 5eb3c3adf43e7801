import os
from pathlib import Path

import pytest

from monitor.session import Project, Session, project_of
from shared.settings.config import Config


def session(project: str) -> Session:
    return Session("/nowhere", Config(), {}, 0, project)


def test_the_clients_word_comes_before_where_the_event_happened(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    project = project_of(session(str(tmp_path)), str(tmp_path / "deep"))
    assert project == Project(os.path.realpath(tmp_path), str(tmp_path / "deep"))


def test_a_directory_that_is_not_there_is_passed_over(tmp_path: Path) -> None:
    project = project_of(session(str(tmp_path / "gone")), str(tmp_path))
    assert project is not None
    assert project.directory == os.path.realpath(tmp_path)


@pytest.mark.parametrize("cwd", ["", "relative", "/not/there", "/a\0b"])
def test_no_directory_is_no_project(cwd: str) -> None:
    assert project_of(session(""), cwd) is None


def test_paths_are_shown_as_the_projects_people_write_them(tmp_path: Path) -> None:
    real = tmp_path / "real"
    real.mkdir()
    link = tmp_path / "link"
    link.symlink_to(real)
    project = Project(str(real), str(link))
    assert project.short_path(f"{real}/src/app.py") == "src/app.py"
    assert project.short_path(f"{link}/src/app.py") == "src/app.py"
    assert project.short_path(f"{real}-other/app.py") == f"{real}-other/app.py"
    assert project.short_path("app.py") == "app.py"


def test_what_a_link_leads_to_is_where_a_path_lies(tmp_path: Path) -> None:
    inside, outside = tmp_path / "in", tmp_path / "out"
    inside.mkdir()
    outside.mkdir()
    (inside / "link").symlink_to(outside)
    project = Project(str(inside), str(inside))
    assert project.holds(str(inside / "new" / "file"))
    assert not project.holds(str(inside / "link" / "file"))
    assert not project.holds(str(outside))
    assert not project.holds(f"{inside}\0")
    assert project.id == "in"
