"""The checked-out commit and a git operation in progress are read from the repository's files."""

import os
import subprocess
from pathlib import Path

import pytest

from monitor.checkpoints.project import git_status
from monitor.checkpoints.project.repository import Repository, repository_of, workplace
from monitor.session import Project
from tests.monitor.workshop import GIT, Workshop

COMMIT, OTHER = "a" * 40, "b" * 40


@pytest.fixture
def git(tmp_path: Path) -> Path:
    """The git directory of a repository whose branch has a commit."""
    git = tmp_path / ".git"
    (git / "objects").mkdir(parents=True)
    (git / "refs" / "heads").mkdir(parents=True)
    (git / "HEAD").write_text("ref: refs/heads/main\n")
    (git / "refs" / "heads" / "main").write_text(f"{COMMIT}\n")
    return git


def read(git: Path, below: str = "") -> tuple[str | None, str | None] | None:
    """The branch and the commit; None where there is no repository."""
    repository = repository_of(str(git.parent / below))
    return (repository.branch, repository.head) if repository else None


def test_a_repository_is_found_from_anywhere_in_its_worktree(git: Path) -> None:
    (git.parent / "src" / "deep").mkdir(parents=True)
    for below in ("", "src", "src/deep"):
        repository = repository_of(str(git.parent / below))
        assert repository == Repository(str(git.parent), str(git), str(git), "main", COMMIT)


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (f"{COMMIT}\n", (None, COMMIT)),
        ("ref: refs/heads/feature/deep", ("feature/deep", None)),
        ("ref: refs/remotes/origin/main", ("refs/remotes/origin/main", None)),
        ("a" * 41, None),
        ("a" * 39, None),
        ("ref: heads/main", None),
        ("ref: refs/heads/a b", None),
        ("ref: refs/heads/.invalid", None),
        ("", None),
    ],
)
def test_the_checked_out_commit_is_read_from_head(
    git: Path, head: str, expected: tuple[str | None, str | None] | None
) -> None:
    (git / "HEAD").write_text(head)
    assert read(git) == expected


def test_a_directory_without_objects_is_no_repository(git: Path) -> None:
    (git / "objects").rmdir()
    assert read(git) is None
    (git / "objects").touch()
    assert read(git) is None


@pytest.mark.parametrize(
    ("packed", "expected"),
    [
        (f"# pack-refs\n{OTHER} refs/heads/main-2\n{COMMIT} refs/heads/main\n", ("main", COMMIT)),
        (f"{OTHER} refs/heads/other\n", ("main", None)),
        ("nonsense refs/heads/main\n", None),
        ("", ("main", None)),
    ],
)
def test_a_packed_reference_counts_if_it_has_no_file(
    git: Path, packed: str, expected: tuple[str, str | None] | None
) -> None:
    (git / "packed-refs").write_text(f"{OTHER} refs/heads/main\n")
    assert read(git) == ("main", COMMIT)
    (git / "refs" / "heads" / "main").unlink()
    (git / "packed-refs").write_text(packed)
    assert read(git) == expected


def test_a_reference_to_another_reference_is_unknown(git: Path) -> None:
    (git / "refs" / "heads" / "alias").write_text("ref: refs/heads/main\n")
    (git / "HEAD").write_text("ref: refs/heads/alias\n")
    assert read(git) is None


def test_a_reference_never_leads_out_of_the_repository(git: Path) -> None:
    (git.parent / "outside").write_text(COMMIT)
    (git / "HEAD").write_text("ref: refs/../../outside\n")
    assert read(git) == ("refs/../../outside", None)


def test_a_linked_worktree_shares_the_references_of_the_others(git: Path, tmp_path: Path) -> None:
    own = git / "worktrees" / "beside"
    own.mkdir(parents=True)
    (own / "HEAD").write_text("ref: refs/heads/main")
    (own / "commondir").write_text("../..\n")
    neighbour = tmp_path / "beside"
    neighbour.mkdir()
    for link in (str(own), "../.git/worktrees/beside"):
        (neighbour / ".git").write_text(f"gitdir: {link}\n")
        assert repository_of(str(neighbour)) == Repository(str(neighbour), str(own), str(git), "main", COMMIT)
    (neighbour / ".git").write_text(str(own))
    assert read(git, "beside") == ("main", COMMIT)  # the one around it
    assert repository_of(str(neighbour)) == repository_of(str(tmp_path))


@pytest.mark.parametrize("options", [(), ("-c", "worktree.useRelativePaths=true")])
def test_the_main_checkout_is_that_of_the_repository(
    workshop: Workshop, tmp_path: Path, options: tuple[str, ...]
) -> None:
    workshop.repository()
    bare, (linked, other) = str(tmp_path / "bare.git"), (str(tmp_path / name) for name in ("linked", "other"))
    run_git(workshop, "clone", "--bare", ".", bare)
    run_git(workshop, *options, "worktree", "add", "-b", "bay", linked)
    run_git(workshop, "-C", bare, "worktree", "add", "-b", "bay", other)
    (tmp_path / "way").symlink_to(linked)

    project = str(workshop.project)
    assert [main_checkout(path) for path in (project, linked, str(tmp_path / "way"))] == [project] * 3
    assert main_checkout(other) == ""


@pytest.mark.parametrize(
    ("link", "commondir", "back"),
    [("{}/.git", "", ""), ("git", "{}/.git", "../.git"), ("{}/.git/worktrees/bay", "", ""), ("git", "{}/.git", "\0")],
)
def test_files_that_name_another_repository_lead_nowhere(
    workshop: Workshop, tmp_path: Path, link: str, commondir: str, back: str
) -> None:
    workshop.repository()
    run_git(workshop, "worktree", "add", "-b", "bay", str(tmp_path / "bay"))
    project, downloaded = str(workshop.project), tmp_path / "downloaded"
    (downloaded / "git").mkdir(parents=True)
    (downloaded / ".git").write_text(f"gitdir: {link.format(project)}\n")
    for name, text in (("HEAD", "ref: refs/heads/main"), ("commondir", commondir), ("gitdir", back)):
        (downloaded / "git" / name).write_text(text.format(project))

    assert repository_of(str(downloaded))
    assert main_checkout(str(downloaded)) == ""
    assert workplace(Project(project, str(downloaded))) == project


def main_checkout(directory: str) -> str:
    repository = repository_of(directory)
    assert repository
    return repository.main_checkout


@pytest.mark.parametrize(
    ("working_directory", "expected"),
    [("bay", "bay"), ("bay/src", "bay"), ("", ""), ("src", ""), ("other", ""), ("gone", ""), ("a\0b", "")],
)
def test_work_goes_on_in_a_worktree_of_the_same_repository(
    workshop: Workshop, working_directory: str, expected: str
) -> None:
    workshop.repository()
    run_git(workshop, "worktree", "add", "-b", "bay", "bay")
    run_git(workshop, "init", "other")
    for name in ("src", "bay/src"):
        (workshop.project / name).mkdir()
    directory = os.path.realpath(workshop.project)
    project = Project(directory, os.path.join(directory, working_directory))
    assert workplace(project) == (os.path.join(directory, expected) if expected else directory)


def run_git(workshop: Workshop, *words: str) -> None:
    environ = os.environ | {"HOME": str(workshop.project), "GIT_EDITOR": "true"}
    subprocess.run([*GIT, *words], cwd=workshop.project, env=environ, check=False, capture_output=True)


@pytest.fixture
def conflict(workshop: Workshop) -> Workshop:
    """Make two branches with different first lines: `main`, checked out, and `form` with two commits."""
    file = Path(workshop.project, "file")
    workshop.repository("main")
    run_git(workshop, "switch", "-c", "form")
    for text in ("one", "two"):
        file.write_text(text)
        run_git(workshop, "add", "file")
        run_git(workshop, "commit", "-m", text)
    run_git(workshop, "switch", "main")
    file.write_text("three")
    run_git(workshop, "add", "file")
    run_git(workshop, "commit", "-m", "three")
    return workshop


@pytest.mark.parametrize(
    ("words", "operation"),
    [
        (["rebase", "main", "form"], "rebase"),
        (["rebase", "--apply", "main", "form"], "rebase"),
        (["merge", "form"], "merge"),
        (["cherry-pick", "form"], "cherry-pick"),
        (["revert", "form"], "revert"),
        (["bisect", "start"], "bisect"),
        (["status"], ""),
    ],
)
def test_an_unfinished_git_operation_is_named(conflict: Workshop, words: list[str], operation: str) -> None:
    run_git(conflict, *words)
    assert git_status.inspect(str(conflict.project)).operation == operation


def test_a_finished_git_operation_is_not_named(conflict: Workshop) -> None:
    run_git(conflict, "merge", "form")
    run_git(conflict, "merge", "--abort")
    assert git_status.inspect(str(conflict.project)).operation == ""
