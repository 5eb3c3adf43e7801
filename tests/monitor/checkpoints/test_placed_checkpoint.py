"""A checkpoint that somebody else has put into the folder, with no more than the form asks for."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.monitor.workshop import Workshop

ALERT, RESUMPTION = "<compaction-alert>", "<resumption-context>"


def place(workshop: Workshop, number: int = 1, **info: Any) -> None:
    """Put the checkpoint there; `info` is added to its session's, `...` takes a field away."""
    known = {"project_id": "shop", "branch": "main", "working_directory": str(workshop.project)} | info
    checkpoint = {
        "checkpoint_id": f"cx-{number:03}",
        "timestamp": "2026-02-18T10:00:00+00:00",
        "compaction_sequence": number,
        "context_state": {"fill_percentage": 0.82, "input_tokens": 164_000, "threshold_tier": "CRITICAL"},
        "resumption_state": {"next_step": "Score again"},
        "session_info": {name: value for name, value in known.items() if value is not ...},
    }
    workshop.folder.mkdir(parents=True, exist_ok=True)
    (workshop.folder / f"cx-{number:03}-checkpoint.json").write_text(json.dumps(checkpoint))


@pytest.mark.parametrize("source", ["startup", "resume", "clear", "compact", "fork", 7, ...])
@pytest.mark.parametrize("info", [{}, {"session_id": "session-1"}, {"session_id": "session-1", "trigger": "auto"}])
def test_it_is_taken_up_by_the_session_that_it_may_be_of(
    workshop: Workshop, source: object, info: dict[str, Any]
) -> None:
    place(workshop, **info)
    said = workshop.fire("SessionStart", source=source)
    assert said.startswith(RESUMPTION)
    assert "cx-001" in said
    assert "Score again" in said
    assert workshop.marks() == []


@pytest.mark.parametrize("info", [{}, {"session_id": "session-1"}, {"session_id": "session-1", "trigger": "auto"}])
@pytest.mark.parametrize("is_started", [True, False])
def test_the_first_prompt_alerts_of_it(workshop: Workshop, info: dict[str, Any], is_started: bool) -> None:  # noqa: FBT001
    place(workshop, **info)
    workshop.transcript.answer(165_000)
    if is_started:
        workshop.start("startup")
    told = workshop.prompt()
    assert ALERT in told
    assert "cx-001" in told
    assert "Score again" in told
    assert "cx-001" in workshop.marks()
    assert ALERT not in workshop.prompt()


def test_the_newest_of_several_is_told(workshop: Workshop) -> None:
    for number in (1, 2, 3):
        place(workshop, number)
    (workshop.folder / "cx-003-checkpoint.json.acknowledged").touch()
    assert "cx-002" in workshop.start("compact")
    assert "cx-002" in workshop.prompt()
    assert workshop.marks() == ["cx-001", "cx-002", "cx-003"]


def test_another_sessions_alerts_nobody_else(workshop: Workshop) -> None:
    place(workshop, session_id="session-2")
    workshop.transcript.answer(20_000)
    assert workshop.start("resume") == ""
    assert ALERT not in workshop.prompt()


@pytest.mark.parametrize("trigger", ["prompt", "export", "spawn"])
def test_what_was_written_without_a_compaction_alerts_nobody(workshop: Workshop, trigger: str) -> None:
    place(workshop, session_id="session-1", trigger=trigger)
    workshop.transcript.answer(20_000)
    assert ALERT not in workshop.prompt()


def test_it_may_come_from_a_directory_in_the_project(workshop: Workshop, tmp_path: Path) -> None:
    (workshop.project / "deep").mkdir()
    (tmp_path / "link").symlink_to(workshop.project)
    place(workshop, working_directory=str(tmp_path / "link" / "deep"))
    assert "cx-001" in workshop.start("compact")


@pytest.mark.parametrize("directory", ["", ".", "/", "/elsewhere", "\0"])
def test_another_projects_is_not_taken_up(workshop: Workshop, directory: str) -> None:
    place(workshop, working_directory=directory)
    assert workshop.start("resume") == ""
    assert ALERT not in workshop.prompt()
