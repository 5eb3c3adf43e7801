"""`tidegauge resume`: work in a worktree is found from there, and continued there."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.commands.person import Person
from tests.commands.resumption import WISH, client_on_path, resume
from tests.monitor.checkpoints.test_placed_checkpoint import place
from tests.monitor.workshop import GIT, Workshop


@pytest.fixture
def tree(person: Person, work: Workshop, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A worktree that the session has entered, and was saved in."""
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(person.project))
    work.repository()
    path = person.project / ".claude" / "worktrees" / "vouchers"
    subprocess.run([*GIT, "worktree", "add", "-q", "-b", "vouchers", str(path)], cwd=person.project, check=True)
    work.compact(cwd=str(path))
    return path


def test_in_a_worktree_its_branch_is_handed_on(person: Person, work: Workshop, tree: Path) -> None:
    work.transcript.prompt("Never touch the README.")
    prompt = resume(person, "2", "--prompt").stdout
    assert "> Never touch the README." in prompt
    assert "Branch: vouchers" in prompt


def test_work_in_a_worktree_is_found_from_there(person: Person, tree: Path) -> None:
    (tree / "src").mkdir()
    for directory in (tree, tree / "src"):
        assert WISH in resume(person._replace(project=directory)).stdout


@pytest.mark.skipif(os.name == "nt", reason="a script on PATH is no program there")
def test_work_in_a_worktree_is_continued_there(person: Person, tree: Path) -> None:
    path, real = client_on_path(person), os.path.realpath(tree)
    for directory in (person.project, tree):
        result = resume(person._replace(project=directory), "2", PATH=path)
        where, _, prompt = result.stdout.partition("\n")
        assert where == real
        assert f":Go on with the work of session session-1 in {real} (" in prompt
    line = resume(person, "2", "--print").stdout
    assert line.startswith(f"cd {real} && claude")
    assert line.endswith(' resume 2 --session session-1 --prompt)"\n')


@pytest.mark.parametrize("stands", ["nothing", "a link", "another repository"])
def test_work_in_a_worktree_that_is_gone_is_continued_in_the_project(
    person: Person, tree: Path, tmp_path: Path, stands: str
) -> None:
    subprocess.run([*GIT, "worktree", "remove", "--force", str(tree)], cwd=person.project, check=True)
    other = tmp_path / "other" if stands == "a link" else tree
    if stands != "nothing":
        other.mkdir()
        subprocess.run([*GIT, "init", "-q"], cwd=other, check=True)
    if other != tree:
        tree.symlink_to(other)
    project = os.path.realpath(person.project)
    note = f" (it last worked in {tree}, which is gone)" if stands == "nothing" else ""
    prompt = resume(person, "2", "--prompt").stdout
    assert prompt.startswith(f"Go on with the work of session session-1 in {project}{note} (")
    assert resume(person, "2", "--print").stdout.startswith(f"cd {project} && claude")


def test_a_worktree_that_is_entered_after_the_checkpoint_is_where_the_work_is(
    person: Person, work: Workshop, tree: Path
) -> None:
    work.compact()
    line = json.loads(work.transcript.path.read_text().splitlines()[-1]) | {"cwd": str(tree)}
    with work.transcript.path.open("a") as file:
        file.write(json.dumps(line) + "\n")
    prompt = resume(person, "3", "--prompt").stdout
    assert f" in {os.path.realpath(tree)} (" in prompt
    assert "Branch: vouchers" in prompt


def test_work_of_a_session_that_was_started_in_a_worktree_is_named_in_the_project(person: Person) -> None:
    tree = person.project / ".claude" / "worktrees" / "a bay"
    tree.mkdir(parents=True)
    assert resume(person).returncode == 1
    own = Workshop(person.root, tree, person.client / "projects" / "-tree")
    own.transcript.prompt(WISH)
    own.compact()
    place(own, 9)

    result = resume(person)

    line = f"Saved in a worktree: cd '{tree}' && ~/.claude/tidegauge/bin/tidegauge resume\n"
    assert (result.returncode, result.stdout) == (0, line)
    in_it = resume(person._replace(project=tree)).stdout
    assert (WISH in in_it, "Saved in a worktree" in in_it) == (True, False)
    project = Workshop(person.root, person.project, person.client / "projects" / "-project")
    project.transcript.prompt("Another one")
    project.compact()
    assert "Another one" in resume(person).stdout
    assert resume(person).stdout.endswith(line)


@pytest.mark.parametrize("below", ["", ".claude", ".claude/worktrees", ".claude/worktrees/bay"])
def test_a_link_in_place_of_a_worktree_leads_nowhere(person: Person, below: str) -> None:
    tree = person.home / "other" / ".claude" / "worktrees" / "bay"
    tree.mkdir(parents=True)
    Workshop(person.root, tree, person.client / "projects" / "-tree").compact()
    link = person.project / below if below else person.home / "way"
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(person.home / "other" / below)
    here = person._replace(project=person.project if below else link)
    assert ("Saved in a worktree" in resume(here).stdout) is (not below)
