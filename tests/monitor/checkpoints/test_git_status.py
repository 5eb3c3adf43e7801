import subprocess
from pathlib import Path

import pytest

from monitor.checkpoints import git_status
from monitor.checkpoints.git_status import Worktree
from tests.monitor.workshop import GIT, Workshop


def git(workshop: Workshop, *words: str) -> None:
    subprocess.run([*GIT, *words], cwd=workshop.project, check=True, capture_output=True)


def test_a_repository_tells_branch_commit_and_changes(workshop: Workshop) -> None:
    workshop.repository("feature/a b"[:9])
    for name in ("kept.py", "renamed.py", "gone.py"):
        (workshop.project / name).write_text(name * 50)
    git(workshop, "add", ".")
    git(workshop, "commit", "-q", "-m", "files")
    (workshop.project / "kept.py").write_text("changed")
    git(workshop, "mv", "renamed.py", "moved here.py")
    (workshop.project / "gone.py").unlink()
    (workshop.project / "n\u00e9w.py").write_text("x")

    found = git_status.inspect(str(workshop.project))

    assert found.branch == "feature/a"
    assert found.head is not None
    assert len(found.head) == 40
    assert sorted(found.dirty) == [".D gone.py", ".M kept.py", "?? n\u00e9w.py", "R. moved here.py"]
    assert found.count == 4


def test_a_repository_without_a_commit_has_a_branch(workshop: Workshop) -> None:
    git(workshop, "init", "-q", "-b", "main")
    assert git_status.inspect(str(workshop.project)) == Worktree("main", None)


def test_a_detached_head_has_no_branch(workshop: Workshop) -> None:
    workshop.repository()
    git(workshop, "checkout", "-q", "--detach")
    found = git_status.inspect(str(workshop.project))
    assert found.branch is None
    assert found.head is not None


def test_only_the_first_changes_are_named(workshop: Workshop) -> None:
    workshop.repository()
    for number in range(60):
        (workshop.project / f"{number:02}.py").write_text("x")
    found = git_status.inspect(str(workshop.project))
    assert (len(found.dirty), found.count) == (40, 60)


def test_what_is_no_repository_says_nothing(tmp_path: Path) -> None:
    assert git_status.inspect(str(tmp_path)) == Worktree()
    assert git_status.inspect(str(tmp_path / "gone")) == Worktree()


def test_without_git_nothing_is_said(workshop: Workshop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    workshop.repository()
    monkeypatch.setenv("PATH", str(tmp_path))
    assert git_status.inspect(str(workshop.project)) == Worktree()


def test_the_repositorys_monitor_of_changes_is_not_run(workshop: Workshop, tmp_path: Path) -> None:
    workshop.repository()
    program = tmp_path / "monitor.sh"
    program.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    program.chmod(0o755)
    git(workshop, "config", "core.fsmonitor", str(program))
    assert git_status.inspect(str(workshop.project)).branch == "main"
    assert not (tmp_path / "ran").exists()


def test_another_repository_of_the_environment_is_not_asked(
    workshop: Workshop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workshop.repository()
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    assert git_status.inspect(str(workshop.project)).branch == "main"
