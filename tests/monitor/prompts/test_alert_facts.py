"""An alert names so many facts of each kind, and the checkpoint where nothing else tells of it."""

import re

import pytest

from monitor.activity.activity import Task
from monitor.checkpoints.checkpoint import Checkpoint, ContextState, SessionInfo
from monitor.checkpoints.compaction import CarriedOver
from monitor.prompts.alert import alert
from monitor.session import Project
from tests.monitor.full_checkpoint import full_checkpoint

PATH = "/shop/cx-001-checkpoint.json"


def told(said: CarriedOver = CarriedOver(), path: str | None = None, count: int = 9) -> str:  # noqa: B008  it is frozen
    """The alert of a checkpoint with so many of everything."""
    return alert(full_checkpoint(count), path, Project("/shop", "/shop"), said)


@pytest.mark.parametrize(("summary", "files"), [("", 4), ("Of other things.", 0)])
def test_each_kind_of_fact_has_its_share_of_the_alert(summary: str, files: int) -> None:
    """Files and checks are told where no summary is known, whose reader knows them."""
    text = told(CarriedOver(summary=summary))
    kinds = ("task ", "check", "edited", "failing", "read")
    counted = {word: len(set(re.findall(rf"{word}\d", text))) for word in kinds}
    assert counted == {"task ": 4, "check": 3 if files else 0, "edited": files, "failing": 2, "read": 0}


@pytest.mark.parametrize("path", [PATH, None])
def test_it_says_where_the_checkpoint_lies_and_what_to_read(path: str | None) -> None:
    text = told(path=path)
    assert "Read again the files that you go on editing" in text
    assert (PATH in text) is (path is not None)


@pytest.mark.parametrize(
    ("said", "places"),
    [
        (CarriedOver(summary="x"), "the summary"),
        (CarriedOver(resumption="x"), "the resumption context"),
        (CarriedOver("x", "y"), "the summary or the resumption context"),
    ],
)
def test_it_says_where_the_rest_stands(said: CarriedOver, places: str) -> None:
    assert f"What follows is not in {places}." in told(said)
    assert "were in use" not in told(said)
    assert "were in use" in told()
    assert "What follows" not in told(CarriedOver(said.summary and "main", said.resumption and "main"), count=0)


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
    assert "Next step" not in alert(known, None, Project("/shop", "/shop"), CarriedOver(resumption="x"))
