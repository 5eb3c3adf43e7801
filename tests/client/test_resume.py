"""`tidegauge resume`: a new session of the genuine client continues what another left."""

import os
import subprocess
import tempfile
from pathlib import Path

import pytest

from tests.client.client import Client
from tests.client.home import environment
from tests.client.injected import injections
from tests.client.model import MAIN, ScriptedModel, texts
from tests.client.step import Call, Step, bash, say
from tests.client.terminal import Terminal
from tests.client.test_resilience import RESUMPTION, SOURCE, checkpoints, shop

__all__ = ["shop"]  # a fixture
pytestmark = [pytest.mark.client, pytest.mark.any_client]

ASKED = "Make the greeting friendly. Don't touch the tests."
LATER = "And never touch the README."


def test_a_new_session_begins_with_the_last_saved_work(client: Client, shop: Path, tmp_path: Path) -> None:
    edit = Call("Edit", {"file_path": str(shop / SOURCE), "old_string": "hello", "new_string": "good morning"})
    read = Step(100_000, calls=(Call("Read", {"file_path": str(shop / SOURCE)}),))
    steps = [read, Step(156_000, calls=(edit,)), bash(176_000), say(177_000, "Half of it is done.")]
    client.headless(shop, {MAIN: steps}, prompt=ASKED)
    records = checkpoints(shop)
    assert [record["session_info"]["trigger"] for record in records][:2] == ["critical", "exhausted"]
    # It continues once it has the number of the second.
    client.headless(shop, {MAIN: [say(178_000, "Nobody will.")]}, "--continue", prompt=LATER)

    begun = _resumed(client, shop, "2", tmp_path)
    assert [text in begun for text in (ASKED, LATER, "Nobody will.", SOURCE)] == [True] * 4


def test_a_session_that_is_resumed_is_told_what_was_asked_last(client: Client, shop: Path) -> None:
    client.headless(shop, {MAIN: [bash(156_000), say(157_000, "It is friendly.")]}, prompt=ASKED)
    client.headless(shop, {MAIN: [say(158_000, "Nobody will.")]}, "--continue", prompt=LATER)
    played = client.headless(shop, {MAIN: [say(159_000, "It is.")]}, "--continue", prompt="Is it done?")
    *_, told = (text for _, _, text in injections(played.of(MAIN)) if RESUMPTION in text)
    assert f"First asked: {ASKED}\nLast asked: {LATER}\n" in told
    assert "has gone on since" in told


def test_work_in_a_worktree_is_continued_there(client: Client, shop: Path, tmp_path: Path) -> None:
    entering = Step(100_000, calls=(Call("EnterWorktree", {"name": "vouchers"}),))
    steps = [entering, bash(156_000, "touch voucher.py"), bash(157_000), say(158_000, "Half of it is done.")]
    client.headless(shop, {MAIN: steps}, prompt=ASKED)
    worktree = shop / ".claude" / "worktrees" / "vouchers"
    assert (worktree / "voucher.py").exists()

    assert ASKED in _tidegauge(client, worktree, "resume")
    assert _tidegauge(client, shop, "resume", "1", "--print").startswith(f"cd {worktree} && claude")
    begun = _resumed(client, shop, "1", tmp_path)
    assert f" in {worktree} (" in begun
    assert "?? voucher.py" in begun


def _tidegauge(client: Client, directory: Path, *arguments: str) -> str:
    command = [str(client.program / "bin" / "tidegauge"), *arguments]
    env = environment(client.home, "http://127.0.0.1:9", client.more)
    return subprocess.run(command, cwd=directory, env=env, capture_output=True, text=True, check=True).stdout


def _resumed(client: Client, directory: Path, number: str, tmp_path: Path) -> str:
    """The first messages of the session that `tidegauge resume` starts from `directory`."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "claude").symlink_to(client.binary)
    with tempfile.TemporaryDirectory() as folder, ScriptedModel({MAIN: [say(20_000, "On it.")]}) as played:
        env = environment(client.home, played.url, client.more)
        env["PATH"] = f"{tmp_path / 'bin'}{os.pathsep}{env['PATH']}"
        resume = [str(client.program / "bin" / "tidegauge"), "resume", number]
        with Terminal(Path(folder), ["env", "-C", str(directory), *resume], env) as terminal:
            terminal.wait_for("On it.")
    return "\n".join(text for message in played.of(MAIN)[0].body["messages"] for text in texts(message["content"]))
