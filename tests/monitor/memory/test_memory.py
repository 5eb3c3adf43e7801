import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from monitor.memory import memory as memories
from monitor.memory.memory import (
    LockedMemory,
    Memory,
)
from monitor.memory.reminder import Reminder
from shared.files import locked_file, pruning
from shared.gauge.levels import Level
from tests import scratch
from tests.monitor.memory.memories import FULL, NOTIFIED

COUNT = """
import sys; sys.path.insert(0, sys.argv[1])
from monitor.memory import memory
for _ in range(int(sys.argv[3])):
    with memory.locked(sys.argv[2], "s") as held:
        held.memory.pending_bytes += 1
"""


def file_of(root: Path, conversation: str = "s") -> Path:
    return root / "run" / f"memory-{conversation}.json"


def remember(root: Path, memory: Memory, conversation: str = "s") -> None:
    with memories.locked(str(root), conversation) as locked:
        locked.memory = memory


def recall(root: Path, conversation: str = "s") -> Memory:
    with memories.locked(str(root), conversation) as memory:
        return memory.memory


def test_the_first_memory_is_empty(root: Path) -> None:
    assert not memories.exists(str(root), "s")
    assert memories.read(str(root), "s") == Memory()
    assert recall(root) == Memory()


@pytest.mark.parametrize("memory", [NOTIFIED, FULL])
def test_changes_are_remembered(root: Path, memory: Memory) -> None:
    remember(root, memory)
    assert recall(root) == memory
    assert memories.read(str(root), "s") == memory
    assert memories.exists(str(root), "s")


def test_each_conversation_has_its_own_memory(root: Path) -> None:
    remember(root, NOTIFIED, "s")
    remember(root, Memory(offset=4), "s.a1")
    assert (recall(root, "s"), recall(root, "s.a1"), recall(root, "t")) == (NOTIFIED, Memory(offset=4), Memory())


def test_a_shorter_memory_replaces_a_longer_one(root: Path) -> None:
    remember(root, FULL)
    remember(root, Memory())
    assert recall(root) == Memory()


def test_reading_a_memory_writes_nothing(root: Path) -> None:
    remember(root, NOTIFIED)
    os.utime(file_of(root), (1, 1))
    recall(root)
    assert file_of(root).stat().st_mtime == 1


@pytest.mark.parametrize("text", [b"", b"{", b"null", b"[]", b"\xff", b"x" * 70_000, b"[" * 4_000, b"\x00" * 4_096])
def test_a_damaged_memory_counts_as_empty(root: Path, text: bytes) -> None:
    remember(root, NOTIFIED)
    file_of(root).write_bytes(text)
    assert recall(root) == Memory()
    remember(root, NOTIFIED)
    assert recall(root) == NOTIFIED


@pytest.mark.parametrize(
    "text",
    [
        b'{"level": 9}',
        b'{"offset": 3, "level": {"level": 9}}',
        b'{"offset": 3, "limits": {"5h": 3}}',
        b'{"offset": 3, "saved": {"level": 9, "path": 7}}',
        b'{"offset": 3, "prompt": {"tokens": "9"}}',
        b'{"offset": 3, "prompt": {"tokens": 1%s}}' % (400 * b"0"),
        b'{"offset": 3, "ceiling": -5}',
    ],
)
def test_a_memory_no_version_writes_counts_as_empty(root: Path, text: bytes) -> None:
    remember(root, NOTIFIED)
    file_of(root).write_bytes(text)
    assert recall(root) == Memory()


def test_another_versions_memory_keeps_its_known_fields(root: Path) -> None:
    remember(root, NOTIFIED)
    file_of(root).write_bytes(b'{"offset": 3, "level": {"level": %d, "later": 2}, "added_later": true}' % Level.WARNING)
    assert recall(root) == Memory(offset=3, level=Reminder(Level.WARNING))


def test_a_failure_while_it_is_locked_changes_nothing(root: Path) -> None:
    remember(root, NOTIFIED)

    def fail() -> None:
        with memories.locked(str(root), "s") as memory:
            memory.memory = Memory()
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert recall(root) == NOTIFIED


def test_changes_written_before_a_failure_stay(root: Path) -> None:
    def fail() -> None:
        with memories.locked(str(root), "s") as memory:
            memory.memory.offset = 5
            memory.write()
            memory.memory.offset = 6
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert recall(root) == Memory(offset=5)


def test_a_memory_that_cannot_be_written_ends_with_the_process(root: Path) -> None:
    memory = LockedMemory()
    memory.memory.offset = 5
    memory.write()
    assert not memories.exists(str(root), "s")


@pytest.mark.skipif(os.name == "nt", reason="modes and links of POSIX")
def test_a_memory_is_private_and_never_a_link(root: Path, tmp_path: Path) -> None:
    remember(root, NOTIFIED)
    assert stat.S_IMODE(file_of(root).stat().st_mode) == 0o600
    assert stat.S_IMODE(file_of(root).parent.stat().st_mode) == 0o700
    victim = tmp_path / "victim"
    victim.write_text("precious")
    file_of(root, "t").symlink_to(victim)
    with pytest.raises(OSError, match="memory-t"):
        remember(root, NOTIFIED, "t")
    assert victim.read_text() == "precious"


def test_processes_access_it_in_turn(root: Path) -> None:
    command = [sys.executable, "-c", COUNT, str(scratch.REPOSITORY), str(root), "50"]
    processes = [subprocess.Popen(command) for _ in range(6)]
    assert [process.wait(60) for process in processes] == [0] * 6
    assert recall(root).pending_bytes == 300


def test_a_memory_that_stays_locked_is_given_up(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locked_file, "PATIENCE_SECONDS", 0.05)
    with memories.locked(str(root), "s"), pytest.raises(TimeoutError):
        remember(root, NOTIFIED)
    remember(root, NOTIFIED)
    assert recall(root) == NOTIFIED


def test_the_wait_for_the_lock_is_shorter_than_a_hooks_time_limit() -> None:
    assert locked_file.PATIENCE_SECONDS < 10


def test_a_memory_is_pruned_with_its_session(root: Path) -> None:
    remember(root, NOTIFIED)
    os.utime(file_of(root), (0, 0))
    for day in range(1, 8):
        (root / "run" / f"gate-{day}").touch()
        os.utime(root / "run" / f"gate-{day}", (day * pruning.DAY,) * 2)
    pruning.prune(str(root / "run"), pruning.RETENTION_SECONDS + 1)
    assert not memories.exists(str(root), "s")
