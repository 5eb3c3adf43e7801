"""An alert names so many facts of each kind."""

import re

from monitor.activity.activity import Failure, Task
from monitor.checkpoints.checkpoint import Check, Checkpoint, ContextState, FileUse, SessionInfo
from monitor.prompts.alert import alert
from monitor.session import Project


def test_each_kind_of_fact_has_its_share_of_the_alert() -> None:
    told = alert(
        Checkpoint(
            "cx-001",
            "2026-01-05T09:00:00Z",
            1,
            ContextState(),
            SessionInfo("shop", "main", "/shop"),
            todo=tuple(Task(f"task {number}") for number in range(1, 10)),
            checks=tuple(Check(f"check{number}", 2) for number in range(1, 10)),
            files_edited=tuple(FileUse(f"/shop/edited{number}", 2) for number in range(1, 10)),
            failing_commands=tuple(Failure(f"failing{number}", 9) for number in range(1, 10)),
        ),
        None,
        Project("/shop", "/shop"),
    )
    counted = {word: len(set(re.findall(rf"{word}\d", told))) for word in ("task ", "check", "edited", "failing")}
    assert counted == {"task ": 4, "check": 3, "edited": 4, "failing": 2}
