import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from monitor import locked_file
from monitor.warnings import reminders
from monitor.warnings.reminders import LevelObservation, ReminderMemory
from shared.levels import Level
from tests import scratch

TOLD = ReminderMemory(Level.CRITICAL, 1, Level.CRITICAL, "msg_1", "c1", 900)
COUNT = """
import sys; sys.path.insert(0, sys.argv[1])
import msgspec
from monitor import locked_file
from monitor.warnings import reminders
for _ in range(int(sys.argv[3])):
    with reminders.hold(sys.argv[2], "s") as held:
        held.memory = msgspec.structs.replace(held.memory, silent=held.memory.silent + 1)
"""


def file_of(root: Path, conversation: str = "s") -> Path:
    return root / "run" / f"memory-{conversation}.json"


def remember(root: Path, what: ReminderMemory, conversation: str = "s") -> None:
    with reminders.hold(str(root), conversation) as held:
        held.memory = what


def recall(root: Path, conversation: str = "s") -> ReminderMemory:
    with reminders.hold(str(root), conversation) as held:
        return held.memory


def test_the_first_memory_is_empty(root: Path) -> None:
    assert not reminders.exists(str(root), "s")
    assert reminders.read(str(root), "s") is None
    assert recall(root) == ReminderMemory()


def test_what_was_set_is_remembered(root: Path) -> None:
    remember(root, TOLD)
    assert recall(root) == TOLD
    assert reminders.read(str(root), "s") == TOLD
    assert reminders.exists(str(root), "s")


def test_conversations_have_memories_of_their_own(root: Path) -> None:
    remember(root, TOLD, "s")
    remember(root, ReminderMemory(silent=4), "s.a1")
    assert (recall(root, "s"), recall(root, "s.a1"), recall(root, "t")) == (
        TOLD,
        ReminderMemory(silent=4),
        ReminderMemory(),
    )


def test_a_shorter_memory_replaces_a_longer_one(root: Path) -> None:
    remember(root, TOLD)
    remember(root, ReminderMemory())
    assert recall(root) == ReminderMemory()


@pytest.mark.parametrize(
    "text", [b"", b"{", b"null", b"[]", b'{"level": 9}', b'{"silent": "x"}', b"\xff", b"x" * 9_000]
)
def test_a_damaged_memory_counts_as_the_first(root: Path, text: bytes) -> None:
    remember(root, TOLD)
    file_of(root).write_bytes(text)
    assert recall(root) == ReminderMemory()
    remember(root, TOLD)
    assert recall(root) == TOLD


def test_a_memory_of_another_version_keeps_what_is_understood(root: Path) -> None:
    remember(root, TOLD)
    file_of(root).write_bytes(b'{"level": 1, "silent": 3, "added_later": true}')
    assert recall(root) == ReminderMemory(Level.WARNING, 3)


def test_what_is_taken_back_is_taken_back_once(root: Path) -> None:
    assert not reminders.take_back(str(root), "s")
    assert not file_of(root).exists()
    remember(root, ReminderMemory(Level.CRITICAL, told_level=Level.CRITICAL))
    assert not reminders.take_back(str(root), "s", LevelObservation(Level.EXHAUSTED))
    assert reminders.take_back(str(root), "s", LevelObservation(Level.WARNING))
    assert reminders.take_back(str(root), "s", LevelObservation(Level.CRITICAL, compaction="c1"))
    assert not reminders.take_back(str(root), "s")


def test_right_after_a_compaction_everything_that_was_told_is_taken_back(root: Path) -> None:
    remember(root, ReminderMemory(Level.CRITICAL, told_level=Level.CRITICAL))
    assert reminders.take_back(str(root), "s")
    assert recall(root) == ReminderMemory()
    assert not reminders.take_back(str(root), "s")


def test_a_failure_while_it_is_held_changes_nothing(root: Path) -> None:
    remember(root, TOLD)

    def fail() -> None:
        with reminders.hold(str(root), "s") as held:
            held.memory = ReminderMemory()
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert recall(root) == TOLD


@pytest.mark.skipif(os.name == "nt", reason="modes and links of POSIX")
def test_a_memory_is_private_and_never_a_link(root: Path, tmp_path: Path) -> None:
    remember(root, TOLD)
    assert stat.S_IMODE(file_of(root).stat().st_mode) == 0o600
    assert stat.S_IMODE(file_of(root).parent.stat().st_mode) == 0o700
    victim = tmp_path / "victim"
    victim.write_text("precious")
    file_of(root, "t").symlink_to(victim)
    with pytest.raises(OSError, match="memory-t"):
        remember(root, TOLD, "t")
    assert victim.read_text() == "precious"


def test_processes_take_it_in_turns(root: Path) -> None:
    command = [sys.executable, "-c", COUNT, str(scratch.REPOSITORY), str(root), "50"]
    processes = [subprocess.Popen(command) for _ in range(6)]
    assert [process.wait(30) for process in processes] == [0] * 6
    assert recall(root).silent == 300


def test_a_memory_that_stays_locked_is_given_up(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locked_file, "PATIENCE_SECONDS", 0.05)
    with reminders.hold(str(root), "s"), pytest.raises(TimeoutError):
        remember(root, TOLD)
    remember(root, TOLD)
    assert recall(root) == TOLD


def test_nobody_waits_as_long_as_the_client_lets_a_hook_run() -> None:
    assert locked_file.PATIENCE_SECONDS < 10
