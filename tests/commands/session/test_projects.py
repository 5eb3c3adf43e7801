"""The client's folder that holds a directory's sessions."""

import json
import os
import sys
from pathlib import Path

import pytest

from commands.environment.environment import Environment
from commands.session import projects
from monitor.session import Conversation
from tests.commands.person import Person
from tests.processor_time import allowed


def started(client: Path, directory: str, name: str = "a", *, at: float = 0) -> str:
    path = client / "projects" / projects.folder_name(directory) / f"{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    os.utime(path, (at, at))
    return str(path)


def test_the_client_names_a_folder_after_the_path() -> None:
    assert projects.folder_name("/home/dev/my shop_2.0") == "-home-dev-my-shop-2-0"


def test_the_newest_session_comes_first(tmp_path: Path) -> None:
    old, new = started(tmp_path, "/shop", at=1), started(tmp_path, "/shop", "b", at=2)

    assert projects.sessions(str(tmp_path), "/shop") == ("/shop", [new, old])


def test_the_nearest_parent_directory_counts(tmp_path: Path) -> None:
    started(tmp_path, "/home")
    inner = started(tmp_path, "/home/shop")

    assert projects.sessions(str(tmp_path), "/home/shop/src/deep") == ("/home/shop", [inner])


def test_a_link_leads_to_its_targets_sessions(tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "shop")
    session = started(tmp_path, os.path.realpath(tmp_path / "shop"))

    assert projects.sessions(str(tmp_path), str(tmp_path / "link"))[1] == [session]


def test_a_long_path_is_cut_and_ends_in_the_clients_own_hash(tmp_path: Path) -> None:
    directory = "/" + "deep/" * 60 + "shop"
    folder = tmp_path / "projects" / (projects.folder_name(directory)[:200] + "-1a2b3c")
    folder.mkdir(parents=True)
    (folder / "a.jsonl").touch()

    assert projects.sessions(str(tmp_path), directory)[1] == [str(folder / "a.jsonl")]


def test_a_session_stays_with_its_project_when_it_enters_a_worktree(tmp_path: Path) -> None:
    """2.1.330 moves the transcript along; a session that was started in the worktree belongs to the worktree."""
    worktree = "/shop/.claude/worktrees/bay"
    moved, own = started(tmp_path, worktree, "a"), started(tmp_path, worktree, "b")
    for path, cwd in ((moved, "/shop"), (own, worktree)):
        lines = [{"type": "mode"}, {"cwd": cwd}, {"version": "2.1.330", "cwd": worktree}]
        Path(path).write_text("\n".join(json.dumps(line, separators=(",", ":")) for line in lines) + "\n")

    assert projects.sessions(str(tmp_path), "/shop/src") == ("/shop", [moved])
    assert of_session(str(tmp_path), Path(moved), worktree, {}) == "/shop"
    assert of_session(str(tmp_path), Path(own), "/shop", {}) == worktree


def test_a_session_in_a_worktree_of_a_long_path_stays_with_its_project(tmp_path: Path) -> None:
    directory = f"/{'a' * 190}"
    worktree = f"{directory}/.claude/worktrees/bay"
    folder = tmp_path / "projects" / f"{projects.folder_name(worktree)[:200]}-15vqi4t"
    folder.mkdir(parents=True)
    moved = folder / "a.jsonl"
    moved.write_text(json.dumps({"cwd": directory}, separators=(",", ":")) + "\n")

    assert projects.sessions(str(tmp_path), directory) == (directory, [str(moved)])
    assert of_session(str(tmp_path), moved, worktree, {}) == directory


def test_without_sessions_there_is_no_newest_one(tmp_path: Path) -> None:
    assert projects.sessions(str(tmp_path), "/shop") == ("", [])


@pytest.mark.skipif(sys.platform == "win32", reason="needs the processor time of processes")
@pytest.mark.parametrize("command", ["status", "resume", "audit"])
def test_a_directory_of_hundreds_of_levels_does_not_slow_a_command(person: Person, command: str) -> None:
    deep = str(person.project)
    for _ in range(500):
        deep += "/d"
        os.mkdir(deep)

    result, used = person._replace(project=Path(deep)).timed(command)

    assert "Traceback" not in result.stderr
    assert used < allowed(1)


SHOP = "/home/shop"


@pytest.mark.parametrize(
    ("cwd", "directory", "folder", "project"),
    [
        ("/home/shop/src", "/", "-home-shop", SHOP),
        ("/elsewhere", "/home/shop/src", "-home-shop", SHOP),
        ("/home/moved", "/", "-home-shop", "/home/moved"),
        ("", "/", "-home-shop", ""),
        ("/" + "deep/" * 60 + "shop", "/", ("-" + "deep-" * 60)[:200] + "-1a2b3c", "/" + "deep/" * 60 + "shop"),
    ],
)
def test_a_session_belongs_to_its_folders_directory(
    tmp_path: Path, cwd: str, directory: str, folder: str, project: str
) -> None:
    path = tmp_path / "projects" / folder / "a.jsonl"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"version": "2.1.0", "cwd": cwd}) + "\n", encoding="utf-8")
    elsewhere = {"CLAUDE_CODE_SESSION_ID": "b", "CLAUDE_PROJECT_DIR": "/other"}

    assert of_session(str(tmp_path), path, directory, elsewhere) == project


def test_the_current_session_belongs_to_the_clients_project(tmp_path: Path) -> None:
    path = tmp_path / "projects" / "-home-shop" / "a.jsonl"

    assert of_session(str(tmp_path), path, "/", {"CLAUDE_CODE_SESSION_ID": "a", "CLAUDE_PROJECT_DIR": SHOP}) == SHOP


def of_session(client: str, transcript: Path, directory: str, environ: dict[str, str]) -> str:
    environment = Environment(os.path.join(client, "tidegauge"), directory, environ, 0, ())
    return projects.of_session(environment, Conversation("a", str(transcript)))
