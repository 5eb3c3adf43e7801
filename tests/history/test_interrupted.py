"""Killed and simultaneous syncs leave the rows of one undisturbed sync."""

import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from history import sync
from tests.effort import times
from tests.history.trees import drop_store, rows, synced, transcript, tree, turn

TREE = Path(__file__).parents[2]


class Killed(BaseException):
    """Raised in place of the process's death."""


def killed_after(statements: int) -> type[sqlite3.Connection]:
    """A connection class whose process is killed once `statements` statements have run."""
    count = 0

    class Mortal(sqlite3.Connection):
        def execute(self, *arguments: Any) -> sqlite3.Cursor:
            return self._one(super().execute, *arguments)

        def executemany(self, *arguments: Any) -> sqlite3.Cursor:
            return self._one(super().executemany, *arguments)

        def _one(self, act: Callable[..., sqlite3.Cursor], *arguments: Any) -> sqlite3.Cursor:
            nonlocal count
            count += 1
            if count > statements:
                raise Killed
            return act(*arguments)

    return Mortal


def test_after_a_sync_killed_at_any_statement_the_next_one_completes_the_rows(
    root: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sync, "_CALLS", 3)
    tree(root)
    synced(root)
    whole = rows(root)
    connect, survived, statements = sqlite3.connect, False, 0
    while not survived:
        drop_store(root)
        mortal = killed_after(statements)
        with monkeypatch.context() as patched:
            patched.setattr(sqlite3, "connect", lambda *some, of=mortal, **more: connect(*some, **more, factory=of))
            try:
                synced(root)
                survived = True
            except Killed:
                pass
        synced(root)
        assert rows(root) == whole, statements
        statements += times(7, 1)

    assert statements > 80


def _sync_process(root: str) -> "subprocess.Popen[bytes]":
    program = (
        "import sys; sys.path.insert(0, sys.argv[1]); from commands import run\n"
        "sys.exit(run(['history', 'sync'], sys.argv[2]))"
    )
    return subprocess.Popen([sys.executable, "-c", program, str(TREE), root], stdout=subprocess.PIPE)


def _large(root: str) -> None:
    for session in range(30):
        on = transcript(root, f"s{session}")
        for number in range(8):
            turn(on, 20_000 + 1_000 * number, f"{session}_{number}")
        on.path.write_bytes(on.path.read_bytes().replace(b"00000000-0000-4000", b"00000000-%04d-4000" % session))


def test_simultaneous_syncs_leave_the_rows_of_one(root: str) -> None:
    _large(root)
    synced(root)
    whole = rows(root)
    drop_store(root)

    running = [_sync_process(root) for _ in range(3)]

    assert [process.communicate(timeout=60)[0] is not None and process.returncode for process in running] == [0, 0, 0]
    assert rows(root) == whole


def test_a_killed_process_leaves_a_store_that_the_next_one_completes(root: str) -> None:
    _large(root)
    synced(root)
    whole = rows(root)
    drop_store(root)
    for milliseconds in range(60, 200, times(40, 10)):
        process = _sync_process(root)
        time.sleep(milliseconds / 1_000)
        process.kill()
        process.communicate()

    synced(root)

    assert rows(root) == whole
