"""The record of an agent's work stays bounded, and drops the least important entries first."""

import pytest

from monitor.activity.activity import Activity, LastRun, LinePosition, PendingCall, RequestPosition, Task
from monitor.activity.checks.results import CheckResult
from monitor.activity.checks.run import CheckRun
from monitor.activity.requests import RequestKind
from monitor.activity.tool_calls import ToolCall
from shared.client.tools import Kind

HERE = LinePosition(700, 7)
MOST_FILES, MOST_CHECKS, MOST_TASKS, MOST_PENDING = 300, 60, 60, 400
"""As many are kept of each."""


def call(activity: Activity, kind: Kind, subject: str, tool_use_id: str = "") -> None:
    activity.add_call(tool_use_id, ToolCall(1, kind, 1, subject), PendingCall(0, kind, subject))


def failed(activity: Activity, kind: Kind, subject: str) -> None:
    activity.fail(PendingCall(0, kind, subject))


def test_a_failed_edit_is_subtracted() -> None:
    activity = Activity()
    for path in ("a.py", "a.py", "b.py"):
        call(activity, "edit", path)
    failed(activity, "edit", "a.py")
    failed(activity, "edit", "b.py")
    assert activity.edited == {"a.py": 1}


def test_a_failure_of_a_forgotten_call_changes_nothing() -> None:
    activity = Activity()
    failed(activity, "read", "a.py")
    assert activity.read == {}


def test_a_check_that_failed_is_kept_with_its_position_and_the_edits_since() -> None:
    activity = Activity()
    run = CheckRun("npm test", "script", ("packages:test",))
    activity.add_result(CheckResult((run,)), HERE, "toolu_1")
    call(activity, "edit", "a.py")
    (failure,) = activity.failures
    assert (failure.command, failure.line, failure.offset) == ("npm test", 7, 700)
    assert (failure.tool_use_id, failure.edits_since) == ("toolu_1", 1)
    activity.add_result(CheckResult((), (run,)), HERE)
    assert activity.failures == ()
    assert activity.checks == {"npm test": LastRun(edits=1)}


def test_a_run_that_changes_files_counts_only_as_a_failure() -> None:
    activity = Activity()
    lint = CheckRun("npm run lint", "script", ("packages:lint",))
    fix = CheckRun("npm run lint:fix", "script", ("packages:lint:fix",), is_changing=True)
    activity.add_result(CheckResult((lint,), ()), HERE)
    activity.add_result(CheckResult((), (fix,)), HERE)
    assert activity.failures == ()
    assert [*activity.checks] == ["npm run lint"]


def test_the_least_used_files_are_dropped_first() -> None:
    activity = Activity()
    for name in ("kept.py", "kept.py", *(f"{number}.py" for number in range(MOST_FILES))):
        call(activity, "read", name)
    assert len(activity.read) == MOST_FILES
    assert activity.read["kept.py"] == 2
    assert "0.py" not in activity.read


def test_the_most_recent_checks_are_kept() -> None:
    activity = Activity()
    for number in (*range(MOST_CHECKS), 0, MOST_CHECKS):
        activity.add_result(CheckResult((), (CheckRun(f"pytest {number}", "pytest"),)), HERE)
    assert len(activity.checks) == MOST_CHECKS
    assert [*activity.checks][-2:] == ["pytest 0", f"pytest {MOST_CHECKS}"]
    assert "pytest 1" not in activity.checks


def test_calls_without_a_result_are_kept_up_to_a_bound() -> None:
    activity = Activity()
    for number in range(MOST_PENDING + 1):
        call(activity, "read", "a.py", f"toolu_{number}")
    assert len(activity.pending) == MOST_PENDING
    assert "toolu_0" not in activity.pending


@pytest.mark.parametrize("is_new", [True, False])
def test_a_finished_task_is_dropped_first(is_new: bool) -> None:
    activity = Activity()
    activity.replace_tasks([Task("open"), Task("done", "completed")])
    for number in range(3, MOST_TASKS + 2):
        if is_new:
            activity.add_task(f"task {number}", str(number))
        else:
            activity.change_task(str(number), f"task {number}", "")
    assert len(activity.tasks) == MOST_TASKS
    assert ("1" in activity.tasks, "2" in activity.tasks) == (True, False)
    activity.change_task("99", "one more", "")
    assert len(activity.tasks) == MOST_TASKS
    assert "1" not in activity.tasks


def test_a_list_of_tasks_is_numbered_from_1_and_bounded() -> None:
    activity = Activity()
    activity.replace_tasks([Task(f"task {number}") for number in range(1, MOST_TASKS + 2)])
    assert [*activity.tasks] == [str(number) for number in range(1, MOST_TASKS + 1)]
    assert activity.tasks["1"].text == "task 1"


def test_a_task_without_a_number_is_kept() -> None:
    activity = Activity()
    for text in ("first", "second"):
        activity.add_task(text, None)
    assert [task.text for task in activity.tasks.values()] == ["first", "second"]


def test_a_task_is_changed_in_its_text_or_its_state_and_removed() -> None:
    activity = Activity()
    activity.change_task("4", "", "in_progress")
    assert activity.tasks == {"4": Task("task 4", "in_progress")}
    activity.change_task("4", "Add vouchers", "")
    assert activity.tasks == {"4": Task("Add vouchers", "in_progress")}
    activity.change_task("4", "", "deleted")
    activity.change_task("5", "", "deleted")
    assert activity.tasks == {}


def test_open_tasks_are_listed_with_those_in_progress_first() -> None:
    activity = Activity()
    activity.replace_tasks([Task("later"), Task("done", "completed"), Task("now", "in_progress")])
    assert [task.text for task in activity.open_tasks] == ["now", "later"]


def request(number: int, kind: RequestKind = "prompt", digest: int = 0) -> RequestPosition:
    return RequestPosition(number, number, kind=kind, digest=digest or number)


def test_the_first_requests_and_the_newest_are_kept() -> None:
    activity = Activity()
    for number in range(1, 101):
        activity.add_request(request(number))
    assert [request.line for request in activity.requests] == [*range(1, 9), *range(45, 101)]
    assert (activity.log.prompts, activity.request_count) == (100, 100)


def test_decisions_are_kept_apart() -> None:
    activity = Activity()
    for number in range(1, 31):
        activity.add_request(request(number, "answer"))
    assert [decision.line for decision in activity.decisions] == [*range(7, 31)]
    assert (activity.requests, activity.log.prompts) == ([], 30)


@pytest.mark.parametrize("kind", ["prompt", "queued"])
def test_a_queued_and_then_delivered_prompt_is_one_request(kind: RequestKind) -> None:
    activity = Activity()
    activity.add_request(request(1, "queued", 7))
    activity.add_request(request(2))
    activity.add_request(request(3, kind, 7))
    assert [(request.line, request.kind) for request in activity.requests] == [(3, "prompt"), (2, "prompt")]
    activity.add_request(request(4, kind, 7))
    assert activity.request_count == 3


def test_a_prompt_removed_from_the_queue_is_no_request() -> None:
    activity = Activity()
    activity.add_request(request(1, "queued", 7))
    activity.add_request(request(2, "queued", 8))
    activity.retract(7)
    activity.retract(9)
    assert [request.line for request in activity.requests] == [2]
