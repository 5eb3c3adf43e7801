"""Whether a session still runs, by the running clients."""

import json
import os
from pathlib import Path

import pytest

from commands.session.projects import folder_name
from commands.session.run_state import run_state_of
from monitor.checkpoints.client_process import RunningClient
from monitor.session import Conversation

SHOP = "/home/dev/shop"
WORKTREE = f"{SHOP}/.claude/worktrees/bay"


@pytest.mark.parametrize("folder", [SHOP, WORKTREE], ids=["2.1.197", "2.1.330"])
@pytest.mark.parametrize(
    ("directory", "started", "state"),
    [(WORKTREE, 0, "running"), (WORKTREE, 1e12, "ended"), ("/home/dev/other", 0, "ended")],
)
def test_a_session_in_a_worktree_runs_where_its_client_runs(
    tmp_path: Path, folder: str, directory: str, started: float, state: str
) -> None:
    """2.1.330 moves the transcript along, 2.1.197 leaves it in the folder of the project."""
    path = tmp_path / "projects" / folder_name(folder) / "a.jsonl"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"version": "2.1.197", "cwd": WORKTREE}, separators=(",", ":")) + "\n")
    running = [RunningClient(7, started, directory)]

    assert run_state_of(Conversation("a", str(path)), running, {}).state == state


@pytest.mark.parametrize(
    ("cwd", "other"), [(f"{SHOP}/src", ""), (WORKTREE, WORKTREE)], ids=["a directory below", "a worktree of its own"]
)
def test_another_sessions_client_does_not_count_as_its_own(tmp_path: Path, cwd: str, other: str) -> None:
    """An ended session has moved away from where it was started, and another one runs there."""
    path = tmp_path / "projects" / folder_name(SHOP) / "a.jsonl"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"version": "2.1.197", "cwd": cwd}, separators=(",", ":")) + "\n")
    os.utime(path, (1_000, 1_000))
    if other:
        own = tmp_path / "projects" / folder_name(other) / "b.jsonl"
        own.parent.mkdir(parents=True)
        own.touch()

    assert run_state_of(Conversation("a", str(path)), [RunningClient(7, 0, cwd)], {}).state == "ended"


@pytest.mark.parametrize(
    ("clients", "states"),
    [
        ({7: "a"}, {"a": "running", "b": "ended"}),
        ({7: "a", 8: "b"}, {"a": "running", "b": "running"}),
        ({7: "c"}, {"a": "ended", "b": "ended"}),
        ({7: "b", 8: ""}, {"a": "running", "b": "running"}),
    ],
    ids=["the newer has ended", "both run", "cleared", "one keeps no record"],
)
def test_a_client_runs_the_session_it_records(tmp_path: Path, clients: dict[int, str], states: dict[str, str]) -> None:
    """An open, waiting session is older than a session that has run beside it since."""
    folder = tmp_path / "projects" / folder_name(SHOP)
    folder.mkdir(parents=True)
    for written, name in enumerate("ab", 1_000):
        (folder / f"{name}.jsonl").touch()
        os.utime(folder / f"{name}.jsonl", (written, written))
    running = [RunningClient(pid, 0, SHOP, ("claude", "--resume", "a"), name) for pid, name in clients.items()]

    result = {name: run_state_of(Conversation(name, str(folder / f"{name}.jsonl")), running, {}) for name in states}
    assert {name: state.state for name, state in result.items()} == states
