"""The instruction files that load in a directory, in order, and the obstacles that don't stop this."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from commands.audit.instructions import Instructions, instructions
from commands.environment.environment import environment_at
from shared.client import client as client_names
from tests.commands.person import Person


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def look(person: Person, directory: Path | None = None, **environ: str) -> Instructions:
    at = os.path.realpath(directory or person.project)
    return instructions(environment_at(str(person.root), at, {"HOME": str(person.home), **environ}, 0))


def loaded(result: Instructions, *loads: str) -> list[str]:
    return [os.path.basename(file.path) for file in result.files if file.loads in (loads or ("start",))]


def test_files_load_in_the_clients_order(person: Person, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_names, "_MANAGED_ELSEWHERE", str(tmp_path / "managed"))
    monkeypatch.setattr(client_names, "_MANAGED", {})
    project = person.project
    expected = [
        ("organisation", write(tmp_path / "managed" / "CLAUDE.md", "managed")),
        ("organisation", write(tmp_path / "managed" / ".claude" / "rules" / "m.md", "managed rule")),
        ("user", write(person.client / "CLAUDE.md", "user")),
        ("user", write(person.client / "rules" / "u.md", "user's rule")),
        ("parent", write(tmp_path / "CLAUDE.md", "parent")),
        ("parent", write(tmp_path / "CLAUDE.local.md", "parent, local")),
        ("root", write(project / "CLAUDE.md", "root")),
        ("root", write(project / ".claude" / "CLAUDE.md", "root, hidden")),
        ("root", write(project / ".claude" / "rules" / "a.md", "rule")),
        ("root", write(project / ".claude" / "rules" / "deep" / "b.md", "a deeper rule")),
        ("root", write(project / "CLAUDE.local.md", "root, local")),
    ]
    write(project / ".claude" / "rules" / "c.txt", "no rule")
    write(project / "AGENTS.md", "another client's")

    result = look(person)

    assert [(file.scope, Path(file.path)) for file in result.files] == expected
    assert result.is_complete


def test_children_and_rules_for_paths_load_later(person: Person) -> None:
    write(person.project / ".claude" / "rules" / "py.md", '---\npaths: "**/*.py"\n---\nfor Python')
    write(person.project / "api" / "CLAUDE.md", "@more.md")
    write(person.project / "api" / "more.md", "more")
    write(person.project / "node_modules" / "x" / "CLAUDE.md", "somebody else's")

    result = look(person)

    assert loaded(result) == []
    assert loaded(result, "paths") == ["py.md"]
    assert loaded(result, "reading") == ["CLAUDE.md", "more.md"]


def test_imports_are_followed_four_steps_and_never_in_cycles(person: Person) -> None:
    write(person.project / "CLAUDE.md", "@1.md @one.md")
    for number in range(1, 7):
        write(person.project / f"{number}.md", f"@{number + 1}.md")
    write(person.project / "one.md", "@two.md")
    write(person.project / "two.md", "@one.md @CLAUDE.md")

    assert loaded(look(person)) == ["CLAUDE.md", "1.md", "2.md", "3.md", "4.md", "one.md", "two.md"]


def test_an_import_from_outside_is_named_and_counted_only_if_it_is_the_persons_own(person: Person) -> None:
    write(person.project.parent / "outside.md", "outside")
    write(person.project / "CLAUDE.md", "@../outside.md")
    write(person.client / "CLAUDE.md", f"@{person.home}/mine.md")
    write(person.home / "mine.md", "the person's own may lie anywhere")

    result = look(person)

    assert loaded(result) == ["CLAUDE.md", "mine.md", "CLAUDE.md"]
    assert [(missing.name, missing.reason) for missing in result.missing] == [
        ("../outside.md", "outside the project, it loads only if you have allowed that")
    ]


def test_unresolved_imports_are_named(person: Person) -> None:
    text = "@gone.md and @kept.md, nor @nowhere.md. but @alice. decides about @a.png and @types/node"
    write(person.project / "CLAUDE.md", text)
    write(person.project / "kept.md", "kept")
    write(person.project / "a.png", "\0a picture")

    result = look(person)

    assert loaded(result) == ["CLAUDE.md"]
    assert [(missing.name, missing.reason) for missing in result.missing] == [
        ("gone.md", "no such file"),
        ("kept.md,", "no such file, remove the punctuation after it"),
        ("nowhere.md.", "no such file"),
    ]


def test_files_excluded_by_settings_are_left_out(person: Person) -> None:
    write(person.project / "CLAUDE.md", "root")
    write(person.project / "CLAUDE.local.md", "local")
    write(person.project / "api" / "CLAUDE.md", "child")
    person.change_settings(claudeMdExcludes=["**/api/CLAUDE.md", 3])
    person.write_project_settings(claudeMdExcludes=[f"{os.path.realpath(person.project)}/*.local.md", "CLAUDE.md"])

    assert loaded(look(person), "start", "reading") == ["CLAUDE.md"]
    assert loaded(look(person, CLAUDE_CODE_DISABLE_CLAUDE_MDS="1")) == []


def test_a_worktree_within_the_repository_has_its_own_instructions(person: Person) -> None:
    main = person.project
    write(main / "CLAUDE.md", "the main checkout's")
    write(main / "CLAUDE.local.md", "local")
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-C", str(main)]
    for arguments in (["init", "-q"], ["commit", "-q", "--allow-empty", "-m", "x"], ["worktree", "add", "-q", "one"]):
        subprocess.run([*git, *arguments], check=True)
    write(main / "one" / "CLAUDE.md", "the worktree's")

    result = look(person, main / "one")

    assert [Path(file.path) for file in result.files] == [main / "CLAUDE.local.md", main / "one" / "CLAUDE.md"]


def test_only_the_first_lines_of_the_clients_memory_count(person: Person) -> None:
    folder = os.path.realpath(person.project).replace("/", "-").replace("_", "-")
    memory = write(person.client / "projects" / folder / "memory" / "MEMORY.md", "a line\n" * 300)

    (file,) = look(person).files

    assert (file.path, file.scope) == (str(memory), "memory")
    assert (file.characters, file.left_out) == (200 * 7 - 1, 100 * 7)


@pytest.mark.skipif(sys.platform == "win32", reason="links and pipes of POSIX")
def test_hostile_files_are_skipped(person: Person) -> None:
    project = person.project
    write(project / "CLAUDE.md", "@loop.md @pipe.md @huge.md @binary.md @dir.md @first.md @second.md")
    (project / "loop.md").symlink_to("loop.md")
    os.mkfifo(project / "pipe.md")
    os.mkfifo(project / "CLAUDE.local.md")
    (project / "dir.md").mkdir()
    with (project / "huge.md").open("wb") as file:
        file.truncate(1 << 33)
    (project / "binary.md").write_bytes(bytes(range(256)) * 10)
    write(project / "first.md", "same file")
    (project / "second.md").symlink_to("first.md")
    rules = project / ".claude" / "rules"
    rules.mkdir(parents=True)
    (rules / "again").symlink_to(rules, target_is_directory=True)
    (rules / "self").symlink_to("self")
    (rules / "outside.md").symlink_to(write(person.home / "outside.md", "not the project's"))
    (project / "below").symlink_to(project, target_is_directory=True)
    write(rules / "r.md", "rule")

    assert loaded(look(person), "start", "reading") == ["CLAUDE.md", "first.md", "r.md"]


def test_very_many_files_are_not_all_read(person: Person) -> None:
    write(person.project / "CLAUDE.md", " ".join(f"@many/{number}.md" for number in range(2_100)))
    for number in range(2_100):
        write(person.project / "many" / f"{number}.md", f"{number}")

    result = look(person)

    assert len(result.files) <= 2_000
    assert not result.is_complete
