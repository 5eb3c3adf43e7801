"""An alert names a few facts of each kind, and the checkpoint where nothing else names it."""

import re

import msgspec
import pytest

from monitor.activity.activity import Task
from monitor.checkpoints.checkpoint import Checkpoint, ContextState, SessionInfo
from monitor.checkpoints.compaction import CarriedOver
from monitor.prompts.alert import alert
from monitor.session import Project
from tests.monitor.full_checkpoint import full_checkpoint

PATH = "/shop/cx-001-checkpoint.json"


def alert_text(carried_over: CarriedOver = CarriedOver(), path: str | None = None, count: int = 9) -> str:  # noqa: B008  it is frozen
    """The alert of a checkpoint with `count` of everything."""
    return alert(full_checkpoint(count), path, Project("/shop", "/shop"), carried_over)


@pytest.mark.parametrize(("summary", "files"), [("", 4), ("Of other things.", 0)])
def test_each_kind_of_fact_has_its_share_of_the_alert(summary: str, files: int) -> None:
    """Files and checks are told where no summary is known; a summary's reader knows them."""
    text = alert_text(CarriedOver(summary=summary))
    kinds = ("task ", "check", "edited", "failing", "read")
    counted = {word: len(set(re.findall(rf"{word}\d", text))) for word in kinds}
    assert counted == {"task ": 4, "check": 3 if files else 0, "edited": files, "failing": 2, "read": 0}


@pytest.mark.parametrize("path", [PATH, None])
def test_it_names_the_checkpoints_path_and_the_files_to_read(path: str | None) -> None:
    text = alert_text(path=path)
    assert "Read again the files that you go on editing" in text
    assert (PATH in text) is (path is not None)


@pytest.mark.parametrize(("path", "mark"), [(PATH, "(shortened; see the checkpoint)"), (None, "(shortened)")])
def test_a_short_alert_names_a_checkpoint_only_if_there_is_one(path: str | None, mark: str) -> None:
    checkpoint = msgspec.structs.replace(full_checkpoint(9), todo=(Task("word " * 60),) * 9)
    assert f"\n{mark}\n" in alert(checkpoint, path, Project("/shop", "/shop"), CarriedOver())


@pytest.mark.parametrize(
    ("carried_over", "places"),
    [
        (CarriedOver(summary="x"), "the summary"),
        (CarriedOver(resumption="x"), "the resumption context"),
        (CarriedOver("x", "y"), "the summary or the resumption context"),
    ],
)
def test_it_names_the_place_of_the_rest(carried_over: CarriedOver, places: str) -> None:
    assert f"What follows is not in {places}." in alert_text(carried_over)
    assert "were in use" not in alert_text(carried_over)
    assert "were in use" in alert_text()
    assert "What follows" not in alert_text(
        CarriedOver(carried_over.summary and "main", carried_over.resumption and "main"), count=0
    )


def test_a_long_checkpoint_path_keeps_its_end() -> None:
    text = alert_text(path="/shop/" + "deep/" * 60 + "cx-001-checkpoint.json")
    assert re.search(r"^Checkpoint cx-001: \u2026\S*/cx-001-checkpoint\.json$", text, re.MULTILINE)


def test_only_the_next_step_of_the_works_state_is_told() -> None:
    state = {"next_step": "Score", "phase": 2}
    checkpoint = Checkpoint(
        "cx-001", "", 1, ContextState(), SessionInfo("shop", None, "/shop"), resumption_state=state, todo=(Task("one"),)
    )
    text = alert(checkpoint, None, Project("/shop", "/shop"), CarriedOver())
    assert "\nNext step (ORCHESTRATION.yaml): Score\nOpen tasks: one [pending]\n" in text
    assert "phase" not in text
    assert "Next step" not in alert(checkpoint, None, Project("/shop", "/shop"), CarriedOver(resumption="x"))
