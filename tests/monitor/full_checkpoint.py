"""A checkpoint with many of everything, for tests of texts' limits."""

from monitor.activity.activity import Task
from monitor.activity.checks.failures import Failure
from monitor.checkpoints.checkpoint import Check, Checkpoint, ContextState, FileUse, SessionInfo


def full_checkpoint(count: int) -> Checkpoint:
    """Return a checkpoint with `count` tasks, checks, files of each kind and failing commands, numbered from 1."""
    numbers = range(1, count + 1)
    return Checkpoint(
        "cx-001",
        "2026-01-05T09:00:00Z",
        1,
        ContextState(),
        SessionInfo("shop", "main", "/shop"),
        todo=tuple(Task(f"task {number}") for number in numbers),
        checks=tuple(Check(f"check{number}", has_passed=True) for number in numbers),
        files_edited=tuple(FileUse(f"/shop/edited{number}", 2) for number in numbers),
        files_read=tuple(FileUse(f"/shop/read{number}", 2) for number in numbers),
        failing_commands=tuple(Failure(f"failing{number}", 9) for number in numbers),
        dirty_files=tuple(f".M dirty{number}" for number in numbers),
        dirty_count=count,
    )
