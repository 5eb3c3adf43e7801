"""An alert names so many facts of each kind, and the checkpoint where nothing else tells of it."""

import re

import pytest

from monitor.activity.activity import Failure, Task
from monitor.checkpoints.checkpoint import Check, Checkpoint, ContextState, FileUse, SessionInfo
from monitor.prompts.alert import alert
from monitor.prompts.compaction import SaidSince
from monitor.session import Project

PATH = "/shop/cx-001-checkpoint.json"


def told(said: SaidSince = SaidSince(), path: str | None = None, count: int = 9) -> str:  # noqa: B008  it is frozen
    """The alert of a checkpoint with so many of everything."""
    numbers = range(1, count + 1)
    checkpoint = Checkpoint(
        "cx-001",
        "2026-01-05T09:00:00Z",
        1,
        ContextState(),
        SessionInfo("shop", "main", "/shop"),
        todo=tuple(Task(f"task {number}") for number in numbers),
        checks=tuple(Check(f"check{number}", 2) for number in numbers),
        files_edited=tuple(FileUse(f"/shop/edited{number}", 2) for number in numbers),
        files_read=tuple(FileUse(f"/shop/read{number}", 2) for number in numbers),
        failing_commands=tuple(Failure(f"failing{number}", 9) for number in numbers),
    )
    return alert(checkpoint, path, Project("/shop", "/shop"), said)


@pytest.mark.parametrize(("summary", "read"), [("", 0), ("Of other things.", 2)])
def test_each_kind_of_fact_has_its_share_of_the_alert(summary: str, read: int) -> None:
    """What was only read is told beside a summary alone, which names it least."""
    text = told(SaidSince(summary=summary))
    kinds = ("task ", "check", "edited", "failing", "read")
    counted = {word: len(set(re.findall(rf"{word}\d", text))) for word in kinds}
    assert counted == {"task ": 4, "check": 3, "edited": 4, "failing": 2, "read": read}


@pytest.mark.parametrize(
    ("said", "path", "is_told"),
    [
        (SaidSince(), PATH, True),
        (SaidSince(), None, False),
        (SaidSince(summary="Of other things."), PATH, False),
        (SaidSince(resumption="Of other things."), PATH, False),
    ],
)
def test_the_checkpoint_is_to_be_read_where_nothing_else_tells(
    said: SaidSince, path: str | None, *, is_told: bool
) -> None:
    text = told(said, path)
    assert ("read the checkpoint, then read again" in text) is is_told
    assert (PATH in text) is (path is not None)


@pytest.mark.parametrize(
    ("said", "places"),
    [
        (SaidSince(summary="x"), "the summary"),
        (SaidSince(resumption="x"), "the resumption context"),
        (SaidSince("x", "y"), "the summary or the resumption context"),
    ],
)
def test_it_says_where_the_rest_stands(said: SaidSince, places: str) -> None:
    assert f"What follows is not in {places}." in told(said)
    assert ("were in use" in told(said)) is (not said.resumption)
    everything = SaidSince(said.summary and "main", said.resumption and "main")
    assert f"All that was measured stands in {places}." in told(everything, count=0)


def test_where_the_checkpoint_lies_keeps_its_end() -> None:
    text = told(path="/shop/" + "deep/" * 60 + "cx-001-checkpoint.json")
    assert re.search(r"^Checkpoint cx-001: \u2026\S*/cx-001-checkpoint\.json$", text, re.MULTILINE)


def test_of_the_works_state_only_the_next_step_is_told() -> None:
    state = {"next_step": "Score", "phase": 2}
    known = Checkpoint(
        "cx-001", "", 1, ContextState(), SessionInfo("shop", None, "/shop"), resumption_state=state, todo=(Task("one"),)
    )
    text = alert(known, None, Project("/shop", "/shop"))
    assert "\nNext step: Score\nOpen tasks: one [pending]\n" in text
    assert "phase" not in text
    assert "Next step" not in alert(known, None, Project("/shop", "/shop"), SaidSince(resumption="x"))
