"""What a session is told of a checkpoint's work, and the command with which a person resumes it."""

import re

from monitor.activity.activity import Task
from monitor.activity.checks.failures import Failure
from monitor.activity.requests import UserRequest
from monitor.checkpoints.checkpoint import Check, Checkpoint, ContextState, FileUse, SessionInfo
from monitor.checkpoints.texts import sections
from monitor.checkpoints.texts.resumption import resumption, resumption_after_summary
from monitor.checkpoints.words import MissingWords
from monitor.session import Project

PROJECT = Project("/shop", "/shop")
PATH = "/shop/cx-001-checkpoint.json"


def many(count: int, **fields: object) -> Checkpoint:
    """A checkpoint with this many of everything."""
    numbers = range(1, count + 1)
    facts_by_name = {
        "todo": tuple(Task(f"task {number}") for number in numbers),
        "checks": tuple(Check(f"check{number}", has_passed=True) for number in numbers),
        "files_edited": tuple(FileUse(f"/shop/edited{number}", 2) for number in numbers),
        "files_read": tuple(FileUse(f"/shop/read{number}", 2) for number in numbers),
        "failing_commands": tuple(Failure(f"failing{number}", 9) for number in numbers),
        "dirty_files": tuple(f".M dirty{number}" for number in numbers),
        "dirty_count": count,
    }
    info = SessionInfo("shop", "main", "/shop", transcript_path="/t.jsonl")
    return Checkpoint("cx-001", "2026-01-05T09:00:00+00:00", 1, ContextState(), info, **(facts_by_name | fields))  # type: ignore[arg-type]  # by name


def test_each_kind_of_fact_has_its_share() -> None:
    text = resumption(many(12), PATH, PROJECT)
    kinds = ("task ", "check", "edited", "failing", "dirty", "read")
    counted = {word: len(set(re.findall(rf"{word}\d+", text))) for word in kinds}
    assert counted == {"task ": 10, "check": 4, "edited": 5, "failing": 4, "dirty": 8, "read": 8}
    assert text.startswith(
        "<resumption-context>\nThis session left checkpoint cx-001 at 2026-01-05T09:00:00 UTC, with ?% of the window in"
    )


def test_with_a_summary_it_tells_only_what_the_summary_lacks() -> None:
    words = MissingWords((UserRequest("prompt", "Leave the payment provider as it is"),))
    text = resumption_after_summary(many(12, words=words), PATH, PROJECT)
    assert text.splitlines() == [
        "<resumption-context>",
        "Not in the summary:",
        "Asked, and not in the summary: Leave the payment provider as it is",
        "Open tasks: task 1 [pending]; task 2 [pending]; task 3 [pending]; task 4 [pending]; 8 more",
        "Failed when last run: `failing1`; `failing2`; `failing3`; 9 more",
        f"More: {PATH}",
        "</resumption-context>",
    ]


def test_a_complete_summary_leaves_nothing_to_tell() -> None:
    assert resumption_after_summary(many(0), PATH, PROJECT).splitlines()[1:-1] == [
        "The summary has what checkpoint cx-001 knows of tasks, checks and all but the shortest requests."
    ]


def test_a_path_that_is_cut_keeps_its_end() -> None:
    deep, long = "/shop/" + "d1/" * 60, "x1" * 60
    checkpoint = many(
        1,
        summary_path=f"{deep}SUMMARY.md",
        todo=(Task(long),),
        checks=(Check(long, has_passed=True),),
        failing_commands=(Failure(long, 9),),
        files_read=(FileUse(f"/shop/{long}", 2),),
        dirty_files=(long,),
        resumption_state={"next_step": long, "decisions": [long], "quality_trajectory": [long], "agents": [long]},
    )
    text = resumption(checkpoint, PATH, PROJECT)
    assert re.search(r"^Read in this order: \u2026(d?1/)?(d1/)*SUMMARY\.md; \d more$", text, re.MULTILINE)


def test_the_newest_compaction_is_told_with_those_of_the_workflow() -> None:
    checkpoint = many(0, compacted_at="2026-01-05T09:00:01.5Z", resumption_state={"compaction_events": ["manual"]})
    assert "\nCompaction history: 2026-01-05T09:00:01; manual\n" in resumption(checkpoint, PATH, PROJECT)
    assert "Compaction history" not in resumption(many(0), PATH, PROJECT)


def test_the_file_with_the_requests_is_named_if_it_exists() -> None:
    assert sections.prompts(many(0)).items == []
    assert sections.prompts(many(0, words_path="/goals/1.json")).items == ["/goals/1.json"]
