"""What git has begun and not finished, in repositories in which it has been begun."""

import os
import subprocess
from pathlib import Path

import pytest

from monitor.checkpoints.project import git_status
from tests.monitor.workshop import GIT, Workshop


def git(workshop: Workshop, *words: str) -> None:
    environ = os.environ | {"HOME": str(workshop.project), "GIT_EDITOR": "true"}
    subprocess.run([*GIT, *words], cwd=workshop.project, env=environ, check=False, capture_output=True)


@pytest.fixture
def conflict(workshop: Workshop) -> Workshop:
    """Two branches that each have another first line: `main`, checked out, and `form` with two commits."""
    file = Path(workshop.project, "file")
    workshop.repository("main")
    git(workshop, "switch", "-c", "form")
    for text in ("one", "two"):
        file.write_text(text)
        git(workshop, "add", "file")
        git(workshop, "commit", "-m", text)
    git(workshop, "switch", "main")
    file.write_text("three")
    git(workshop, "add", "file")
    git(workshop, "commit", "-m", "three")
    return workshop


@pytest.mark.parametrize(
    ("words", "operation"),
    [
        (["rebase", "main", "form"], "rebase of form, step 1 of 2"),
        (["rebase", "--apply", "main", "form"], "rebase of form, step 1 of 2"),
        (["merge", "form"], "merge"),
        (["cherry-pick", "form"], "cherry-pick"),
        (["revert", "form"], "revert"),
        (["bisect", "start"], "bisect"),
        (["status"], ""),
    ],
)
def test_what_git_has_begun_is_named(conflict: Workshop, words: list[str], operation: str) -> None:
    git(conflict, *words)
    assert git_status.inspect(str(conflict.project)).operation == operation


def test_what_is_over_is_not_named(conflict: Workshop) -> None:
    git(conflict, "merge", "form")
    git(conflict, "merge", "--abort")
    assert git_status.inspect(str(conflict.project)).operation == ""


def test_damaged_files_of_a_rebase_say_only_that_there_is_one(conflict: Workshop) -> None:
    directory = Path(conflict.project, ".git", "rebase-merge")
    directory.mkdir()
    (directory / "msgnum").write_text("\x1b[2J")
    (directory / "end").mkdir()
    assert git_status.inspect(str(conflict.project)).operation == "rebase"
