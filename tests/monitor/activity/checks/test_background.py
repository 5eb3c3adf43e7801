"""A check in the background is judged by later reports of it."""

import json
from typing import Any

import pytest

from monitor.activity.checks.background import report_in, task_id_in
from tests.monitor.activity.test_reader import read
from tests.monitor.workshop import Workshop

RECORD = {"stdout": "", "stderr": "", "interrupted": False, "backgroundTaskId": "b1a2c3"}
STARTED = "Command running in background with ID: b1a2c3. Output is being written to: /home/dev/tasks/b1a2c3.output"


def notification(status: str, summary: str) -> str:
    return (
        f"<task-notification>\n<task-id>b1a2c3</task-id>\n<status>{status}</status>\n<summary>{summary}</summary>\n"
        "</task-notification>"
    )


def test_a_commands_result_says_that_it_runs_in_the_background() -> None:
    assert task_id_in(json.dumps(RECORD).encode()) == "b1a2c3"
    assert task_id_in(json.dumps({"stdout": STARTED}).encode()) == ""
    assert task_id_in(b'"Error: Exit code 1"') == ""


@pytest.mark.parametrize(
    ("text", "report"),
    [
        (notification("completed", "npm test (exit code 0)"), ("b1a2c3", 0)),
        (notification("failed", "npm test (exit code 2)"), ("b1a2c3", 2)),
        (notification("running", "npm test"), None),
        ("Fix the tests", None),
    ],
)
def test_a_notification_reports_its_outcome(text: str, report: tuple[str, int] | None) -> None:
    assert report_in(text) == report


def failing(workshop: Workshop) -> list[str]:
    return [failure.command for failure in read(workshop).failures]


def begin(workshop: Workshop) -> None:
    workshop.call("Bash", output=STARTED, record=RECORD, command="npm test", run_in_background=True)


def test_a_background_check_that_fails_is_reported_and_a_pass_clears_it(workshop: Workshop) -> None:
    begin(workshop)
    assert failing(workshop) == []
    workshop.transcript.prompt(notification("failed", "npm test (exit code 1)"))
    assert failing(workshop) == ["npm test"]
    begin(workshop)
    workshop.transcript.prompt(notification("completed", "npm test (exit code 0)"))
    assert failing(workshop) == []


def test_a_report_in_the_middle_of_a_turn_counts(workshop: Workshop) -> None:
    begin(workshop)
    report = notification("failed", 'Background command "npm test" failed with exit code 2')
    workshop.transcript.attachment(type="queued_command", prompt=report, origin={"kind": "task-notification"})
    assert failing(workshop) == ["npm test"]


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("TaskOutput", {"task_id": "b1a2c3"}),
        ("BashOutput", {"bash_id": "b1a2c3"}),
        ("Bash", {"command": "tail -20 /home/dev/tasks/b1a2c3.output"}),
        ("Read", {"file_path": "/home/dev/tasks/b1a2c3.output"}),
    ],
)
def test_its_output_counts_whichever_tool_reads_it(workshop: Workshop, tool: str, arguments: dict[str, Any]) -> None:
    begin(workshop)
    workshop.call(tool, output="Tests: 1 failed, 2 passed, 3 total", **arguments)
    (failure,) = read(workshop).failures
    assert failure.command == "npm test"


def test_a_running_check_has_no_outcome(workshop: Workshop) -> None:
    begin(workshop)
    workshop.call("TaskOutput", output="<status>running</status>\nnot ok 1 - x", task_id="b1a2c3")
    workshop.call("Read", output="Tests: 1 failed", file_path="/home/dev/other.output")
    assert failing(workshop) == []
