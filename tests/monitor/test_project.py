import os
from pathlib import Path

import pytest

from monitor.session import Project, Session, project_of
from shared.settings.config import Config
from tests.monitor.workshop import Workshop

has_one_separator = pytest.mark.skipif(os.altsep is not None, reason="with a second separator the system is asked")


def session(project: str) -> Session:
    return Session("/nowhere", Config(), {}, 0, project)


def test_the_clients_project_overrides_the_events_directory(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    project = project_of(session(str(tmp_path)), str(tmp_path / "deep"))
    assert project == Project(os.path.realpath(tmp_path), str(tmp_path / "deep"))


def test_a_missing_directory_is_skipped(tmp_path: Path) -> None:
    project = project_of(session(str(tmp_path / "gone")), str(tmp_path))
    assert project is not None
    assert project.directory == os.path.realpath(tmp_path)


@pytest.mark.parametrize("cwd", ["", "relative", "/not/there", "/a\0b"])
def test_no_directory_is_no_project(cwd: str) -> None:
    assert project_of(session(""), cwd) is None


def test_paths_are_shown_relative_to_the_project(tmp_path: Path) -> None:
    real = tmp_path / "real"
    real.mkdir()
    link = tmp_path / "link"
    link.symlink_to(real)
    project = Project(str(real), str(link))
    assert project.short_path(f"{real}/src/app.py") == "src/app.py"
    assert project.short_path(f"{link}/src/app.py") == "src/app.py"
    assert project.short_path(f"{real}-other/app.py") == f"{real}-other/app.py"
    assert project.short_path("app.py") == "app.py"


def test_in_the_clients_own_worktree_paths_are_absolute(tmp_path: Path) -> None:
    worktree = tmp_path / ".claude" / "worktrees" / "blue"
    project = Project(str(tmp_path), str(worktree / "src"))
    assert project.short_path(f"{tmp_path}/src/app.py") == f"{tmp_path}/src/app.py"
    in_it = Project(str(worktree), str(worktree / "src"))  # the session was started there
    assert in_it.short_path(f"{worktree}/src/app.py") == "src/app.py"


def test_a_path_lies_where_its_link_leads(tmp_path: Path) -> None:
    inside, outside = tmp_path / "in", tmp_path / "out"
    inside.mkdir()
    outside.mkdir()
    (inside / "link").symlink_to(outside)
    project = Project(str(inside), str(inside))
    assert project.holds(str(inside / "new" / "file"))
    assert not project.holds(str(inside / "link" / "file"))
    assert not project.holds(str(outside))
    assert not project.holds(f"{inside}\0")
    assert not project.holds(str(inside / "a\0b"))
    assert project.id == "in"


@pytest.mark.parametrize(
    "path",
    [
        "in", "in/new/file", "in/link/file", "in/same/file", "in/../out/file", "in/./file", "in//file", "in/",
        "in/loop", "in/dangling", "out/file", "in-other", "link-to-in/file",
    ],
)  # fmt: skip
def test_the_real_path_is_the_systems(tmp_path: Path, path: str) -> None:
    for name in ("in", "out", "in-other"):
        (tmp_path / name).mkdir()
    (tmp_path / "in" / "kept").mkdir()
    links = {"in/link": "../out", "in/same": "kept", "in/loop": "loop", "in/dangling": "../none", "link-to-in": "in"}
    for link, target in links.items():
        (tmp_path / link).symlink_to(target)
    project = Project(str(tmp_path / "in"), "")

    assert project.real(f"{tmp_path}/{path}") == os.path.realpath(f"{tmp_path}/{path}")
    assert project.real(path) == os.path.realpath(path)


@has_one_separator
def test_in_a_deep_project_only_the_steps_below_it_are_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A directory may have two thousand ancestors, and asking the system for each takes as many steps."""
    directory = "/d" * 2_000
    looked_at: list[str] = []

    def islink(path: str) -> bool:
        looked_at.append(path)
        return False

    monkeypatch.setattr(os.path, "islink", islink)

    assert Project(directory, directory).real(f"{directory}/a/b") == f"{directory}/a/b"
    assert looked_at == [directory, f"{directory}/a", f"{directory}/a/b"]


@has_one_separator
def test_a_compaction_resolves_the_projects_real_path_once(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    real_path = os.path.realpath

    def realpath(path: str) -> str:
        asked.append(path)
        return real_path(path)

    workshop.transcript.answer(150_000, id="msg_1", tool_use_ids=["toolu_1"])
    monkeypatch.setattr(os.path, "realpath", realpath)
    assert "Checkpoint cx-001 saved" in workshop.compact()

    assert [path for path in asked if path.startswith(str(workshop.project))] == [str(workshop.project)]
