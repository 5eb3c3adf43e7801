import os
import subprocess
import time
from pathlib import Path

import pytest

from monitor.checkpoints.project import git_status
from monitor.checkpoints.project.git_status import Worktree
from shared import effort
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

    worktree = git_status.inspect(str(workshop.project))

    assert worktree.branch == "feature/a"
    assert worktree.head is not None
    assert len(worktree.head) == 40
    assert sorted(worktree.dirty) == [".D gone.py", ".M kept.py", "?? n\u00e9w.py", "R. moved here.py"]
    assert worktree.count == 4


@pytest.mark.skipif(os.name == "nt", reason="no such names there")
def test_a_renamed_files_former_name_is_no_separate_change(workshop: Workshop) -> None:
    workshop.repository()
    (workshop.project / "? former.py").write_text("x" * 50)
    git(workshop, "add", ".")
    git(workshop, "commit", "-q", "-m", "file")
    git(workshop, "mv", "? former.py", "new.py")

    assert git_status.inspect(str(workshop.project)).dirty == ("R. new.py",)


def test_a_repository_without_a_commit_has_a_branch(workshop: Workshop) -> None:
    git(workshop, "init", "-q", "-b", "main")
    assert git_status.inspect(str(workshop.project)) == Worktree("main", None)


def test_a_detached_head_has_no_branch(workshop: Workshop) -> None:
    workshop.repository()
    git(workshop, "checkout", "-q", "--detach")
    worktree = git_status.inspect(str(workshop.project))
    assert worktree.branch is None
    assert worktree.head is not None


def test_only_the_first_changes_are_named(workshop: Workshop) -> None:
    workshop.repository()
    for number in range(60):
        (workshop.project / f"{number:02}.py").write_text("x")
    worktree = git_status.inspect(str(workshop.project))
    assert (len(worktree.dirty), worktree.count) == (40, 60)


def test_a_directory_without_a_repository_yields_nothing(tmp_path: Path) -> None:
    assert git_status.inspect(str(tmp_path)) == Worktree()
    assert git_status.inspect(str(tmp_path / "gone")) == Worktree()


def test_without_git_nothing_is_reported(workshop: Workshop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    workshop.repository()
    monkeypatch.setenv("PATH", str(tmp_path))
    assert git_status.inspect(str(workshop.project)) == Worktree()


@pytest.mark.parametrize(
    "config",
    [
        "[core]\nfsmonitor = {program}",
        '[filter "x"]\nclean = {program}',
        '[filter "x"]\nprocess = {program}\nrequired = true',
        "[include]\npath = hostile",
        '[includeIf "gitdir:**"]\npath = hostile',
        '[includeIf "onbranch:main"]\npath = hostile',
        '[diff "x"]\ntextconv = {program}\ncommand = {program}\n[diff]\nexternal = {program}',
        "[core]\nhooksPath = hooks\npager = {program}\nsshCommand = {program}\neditor = {program}",
        "[extensions]\nworktreeConfig = true\n[core]\nrepositoryformatversion = 1",
        '[extensions]\npartialClone = origin\n[remote "origin"]\npromisor = true\nuploadpack = {program}',
        "[alias]\nstatus = !{program}\nconfig = !{program}",
    ],
)
def test_no_program_set_by_a_repository_is_run(workshop: Workshop, tmp_path: Path, config: str) -> None:
    workshop.repository()
    program, ran = tmp_path / "program.sh", tmp_path / "ran"
    program.write_text(f"#!/bin/sh\ntouch {ran}\n")
    program.chmod(0o755)
    git(workshop, "config", "core.autocrlf", "false")
    for name in ("kept.py", "changed.py", "renamed.py"):
        (workshop.project / name).write_text(name)
    (workshop.project / ".gitattributes").write_text("* filter=x diff=x\n")
    git(workshop, "add", ".")
    git(workshop, "commit", "-q", "-m", "files")
    git(workshop, "mv", "renamed.py", "moved.py")
    (workshop.project / "changed.py").write_text("other")
    (workshop.project / "kept.py").touch()
    directory = workshop.project / ".git"
    (directory / "hostile").write_text(f'[core]\nfsmonitor = {program}\n[filter "x"]\nclean = {program}\n')
    (directory / "config.worktree").write_text((directory / "hostile").read_text())
    (directory / "hooks").mkdir(exist_ok=True)
    (directory / "hooks" / "post-index-change").symlink_to(program)
    with (directory / "config").open("a") as file:
        file.write(config.format(program=program, project=workshop.project))

    worktree = git_status.inspect(str(workshop.project))

    assert not ran.exists()
    assert (worktree.branch, sorted(worktree.dirty)) == ("main", [".M changed.py", "R. moved.py"])


def test_no_program_set_by_a_submodule_is_run(workshop: Workshop, tmp_path: Path) -> None:
    workshop.repository()
    inner = Workshop(workshop.root, workshop.project / "inner", tmp_path / "other")
    inner.repository()
    program, ran = tmp_path / "program.sh", tmp_path / "ran"
    program.write_text(f"#!/bin/sh\ntouch {ran}\n")
    program.chmod(0o755)
    (inner.project / ".gitattributes").write_text("* filter=x\n")
    git(inner, "add", ".")
    git(inner, "commit", "-q", "-m", "attributes")
    git(workshop, "-c", "advice.addEmbeddedRepo=false", "add", "inner")
    (workshop.project / ".gitmodules").write_text('[submodule "inner"]\npath = inner\nurl = ./inner\nignore = none\n')
    git(workshop, "add", ".")
    git(workshop, "commit", "-q", "-m", "inner")
    git(inner, "commit", "-q", "--allow-empty", "-m", "ahead")
    (inner.project / ".gitattributes").write_text("* filter=x \n")
    with (inner.project / ".git" / "config").open("a") as file:
        file.write(f'[core]\nfsmonitor = {program}\n[filter "x"]\nclean = {program}\n')

    worktree = git_status.inspect(str(workshop.project))

    assert not ran.exists()
    assert worktree.dirty == (".M inner",)


def test_a_program_called_git_in_the_project_is_not_run(
    workshop: Workshop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workshop.repository()
    program = workshop.project / "git"
    program.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f".{os.pathsep}{os.environ['PATH']}")
    monkeypatch.chdir(workshop.project)
    assert git_status.inspect(str(workshop.project)).dirty == ("?? git",)
    assert not (tmp_path / "ran").exists()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes of this kind")
@pytest.mark.parametrize(
    "name", ["HEAD", "index", "config", "packed-refs", "refs/heads/main", "info/exclude", "commondir"]
)
def test_a_pipe_in_place_of_a_file_does_not_block(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(git_status, "SECONDS", 60)
    workshop.repository()
    path = workshop.project / ".git" / name
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    begun = time.monotonic()
    git_status.inspect(str(workshop.project))
    assert time.monotonic() - begun < 30


def test_settings_for_comparing_files_apply(workshop: Workshop, tmp_path: Path) -> None:
    workshop.repository()
    (workshop.project / "run.sh").write_text("#!/bin/sh\n")
    (workshop.project / ".git" / "info" / "exclude").write_text("*.log\n")
    (tmp_path / "ignored").write_text("*.tmp\n")
    git(workshop, "config", "--global", "core.excludesFile", "~/ignored")
    git(workshop, "add", ".")
    git(workshop, "commit", "-q", "-m", "files")
    git(workshop, "config", "core.fileMode", "false")
    (workshop.project / "run.sh").chmod(0o755)
    for name in ("a.log", "b.tmp", "c.py"):
        (workshop.project / name).touch()
    assert git_status.inspect(str(workshop.project)).dirty == ("?? c.py",)


@pytest.mark.parametrize("name", ["main", "feature/deep/er"])
@pytest.mark.parametrize("is_packed", [True, False])
def test_a_linked_worktree_counts_as_a_repository(
    workshop: Workshop, tmp_path: Path, name: str, is_packed: bool
) -> None:
    workshop.repository("trunk")
    git(workshop, "worktree", "add", "-q", "-b", name, str(tmp_path / "beside"))
    if is_packed:
        git(workshop, "pack-refs", "--all")
    (tmp_path / "beside" / "deep").mkdir()
    (tmp_path / "beside" / "deep" / "new.py").touch()
    result = subprocess.run(
        ["git", "rev-parse", name], cwd=workshop.project, capture_output=True, text=True, check=True
    )

    worktree = git_status.inspect(str(tmp_path / "beside" / "deep"))

    assert worktree == Worktree(name, result.stdout.strip(), ("?? deep/",), 1)


@pytest.mark.parametrize(
    ("working_directory", "branch"), [("inside/deep", "bay"), ("other", "trunk"), ("gone", "trunk")]
)
def test_the_current_worktree_counts_if_it_belongs_to_the_same_repository(
    workshop: Workshop, working_directory: str, branch: str
) -> None:
    workshop.repository("trunk")
    git(workshop, "worktree", "add", "-q", "-b", "bay", "inside")
    (workshop.project / "inside" / "deep").mkdir()
    git(workshop, "init", "-q", "-b", "main", "other")

    worktree = git_status.inspect(str(workshop.project), str(workshop.project / working_directory))

    assert worktree.branch == branch


def test_a_repository_of_the_newer_format_is_unknown(workshop: Workshop) -> None:
    git(workshop, "init", "-q", "-b", "main", "--object-format=sha256")
    (workshop.project / "a.py").touch()
    git(workshop, "add", ".")
    git(workshop, "commit", "-q", "-m", "first")
    assert git_status.inspect(str(workshop.project)) == Worktree()


def test_a_repository_named_in_the_environment_is_ignored(
    workshop: Workshop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workshop.repository()
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    assert git_status.inspect(str(workshop.project)).branch == "main"


def test_a_file_called_git_that_is_no_program_is_skipped(
    workshop: Workshop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workshop.repository()
    (tmp_path / "directory" / "git").mkdir(parents=True)
    (tmp_path / "file").mkdir()
    (tmp_path / "file" / "git").touch(0o644)
    places = [str(tmp_path / "directory"), str(tmp_path / "file"), os.environ["PATH"]]
    monkeypatch.setenv("PATH", os.pathsep.join(places))
    (workshop.project / "a.py").touch()
    assert git_status.inspect(str(workshop.project)).dirty == ("?? a.py",)


@pytest.mark.skipif(os.name == "nt", reason="no sh there")
def test_a_git_that_does_not_end_is_not_waited_for(
    workshop: Workshop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workshop.repository()
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "git").write_text("#!/bin/sh\nexec sleep 20\n")
    (tmp_path / "bin" / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}/bin{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(git_status, "SECONDS", 0.2)
    begun = time.monotonic()
    assert git_status.inspect(str(workshop.project)) == Worktree()
    assert time.monotonic() - begun < 5


@pytest.mark.skipif(os.name == "nt", reason="no sh there")
def test_all_git_calls_share_the_remaining_processor_time(
    workshop: Workshop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workshop.repository()
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "git").write_text("#!/bin/sh\nwhile :; do :; done\n")
    (tmp_path / "bin" / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}/bin{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(git_status, "SECONDS", 20.0)
    monkeypatch.setattr(effort, "SECONDS", 0.0)
    before = os.times()
    with effort.limited():
        assert git_status.inspect(str(workshop.project)) == Worktree()
    after = os.times()
    assert after.children_user + after.children_system - before.children_user - before.children_system < 0.5


def test_a_repository_without_configuration_is_recognised(workshop: Workshop) -> None:
    workshop.repository()
    (workshop.project / ".git" / "config").write_text("")
    (workshop.project / "a.py").touch()
    worktree = git_status.inspect(str(workshop.project))
    assert (worktree.branch, worktree.dirty) == ("main", ("?? a.py",))
