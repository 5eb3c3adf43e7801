import json
from typing import Any

import pytest

from monitor.activity.activity import Task
from monitor.activity.tool_calls import DONE, FAILED
from shared.client.tools import TOOLS
from tests.monitor.activity.test_reader import counts, read
from tests.monitor.workshop import Workshop

ODD_ARGUMENTS = ("subagent_type", "status", "taskId", "edits", "offset", "limit", "pages", "old_string", "shell_id")


def test_files_are_counted_by_operation(workshop: Workshop) -> None:
    workshop.edit("a.py", 2)
    workshop.read("a.py")
    workshop.call("Write", file_path=str(workshop.project / "b.py"), content="x")
    workshop.call("MultiEdit", file_path=str(workshop.project / "b.py"), edits=[])
    workshop.call("NotebookEdit", notebook_path=str(workshop.project / "c.ipynb"), new_source="x")
    workshop.call("Grep", pattern="x", path=str(workshop.project / "d.py"))
    activity = read(workshop)
    assert counts(workshop, activity.edited) == {"a.py": 2, "b.py": 2, "c.ipynb": 1}
    assert counts(workshop, activity.read) == {"a.py": 1}


def test_a_refused_edit_does_not_count(workshop: Workshop) -> None:
    workshop.edit("a.py")
    workshop.call("Edit", failed=True, output="File has not been read yet", file_path=str(workshop.project / "a.py"))
    workshop.call("Write", failed=True, output="no", file_path=str(workshop.project / "b.py"))
    assert counts(workshop, read(workshop).edited) == {"a.py": 1}


def test_a_call_whose_result_is_still_to_come_counts(workshop: Workshop) -> None:
    workshop.edit("a.py")
    lines = workshop.transcript.path.read_bytes().splitlines(keepends=True)
    workshop.transcript.path.write_bytes(b"".join(lines[:-1]))
    assert counts(workshop, read(workshop).edited) == {"a.py": 1}
    workshop.transcript.path.write_bytes(b"".join(lines).replace(b'"is_error":false', b'"is_error":true'))
    assert counts(workshop, read(workshop).edited) == {}


def test_the_last_run_of_a_command_counts(workshop: Workshop) -> None:
    workshop.bash("make a", code=2)
    workshop.bash("make b", code=1)
    workshop.bash("make a")
    workshop.call("Bash", failed=True, output="The user doesn't want to proceed with this tool use.", command="rm x")
    workshop.call("Bash", failed=True, output="Command timed out after 2m", command="sleep 999")
    failing = read(workshop).failures
    assert [failure.command for failure in failing] == ["make b"]


def test_no_secret_of_a_command_is_kept(workshop: Workshop) -> None:
    workshop.bash("API_TOKEN=abc123def456ghi789 pytest --url https://me:pass@example.org", code=1)
    (command,) = read(workshop).failing
    assert command == "API_TOKEN=[masked] pytest --url https://me:[masked]@example.org"


def test_a_list_written_as_a_whole_replaces_the_last_one(workshop: Workshop) -> None:
    workshop.call("TodoWrite", todos=[{"content": "Old", "status": "pending"}])
    todos = [
        {"content": "Done", "status": "completed"},
        {"content": "Later\nthan now", "status": "pending"},
        {"content": "Now", "status": "in_progress"},
        {"content": 5},
        "nonsense",
    ]
    workshop.call("TodoWrite", todos=todos)
    assert read(workshop).open_tasks == [Task("Now", "in_progress"), Task("Later than now", "pending")]


def test_tasks_are_made_and_changed_one_by_one(workshop: Workshop) -> None:
    workshop.call("TaskCreate", output="Task #1 created successfully: First", subject="First", description="x")
    workshop.call("TaskCreate", output="Task #2 created successfully: Second", subject="Second", description="x")
    workshop.call("TaskCreate", output="Task #3 created successfully: Third", subject="Third", description="x")
    workshop.call("TaskUpdate", taskId="2", status="in_progress", subject="Second, renamed")
    workshop.call("TaskUpdate", taskId="1", status="completed")
    workshop.call("TaskUpdate", taskId="3", status="deleted")
    assert read(workshop).open_tasks == [Task("Second, renamed", "in_progress")]


def add_record(workshop: Workshop, record: dict[str, Any]) -> None:
    """Add the client's own copy to the newest result."""
    lines = workshop.transcript.path.read_bytes().splitlines(keepends=True)
    lines[-1] = json.dumps({**json.loads(lines[-1]), "toolUseResult": record}).encode() + b"\n"
    workshop.transcript.path.write_bytes(b"".join(lines))


def test_tasks_are_as_last_shown_by_the_client(workshop: Workshop) -> None:
    for number, text in enumerate(("First", "Second", "Third"), 1):
        workshop.call("TaskCreate", output=f"Task #{number} created successfully: {text}", subject=text)
    listed = [
        {"id": "2", "subject": "Second", "status": "completed"},
        {"id": "4", "subject": "New", "status": "pending"},
    ]
    workshop.call("TaskUpdate", taskId="3", status="completed")
    workshop.call("TaskList", output="#2 [completed] Second\n#4 [pending] New")
    add_record(workshop, {"tasks": listed})
    workshop.call("TaskGet", output="Task #4: New\nStatus: in_progress", taskId="4")
    add_record(workshop, {"task": {"id": "4", "subject": "New", "status": "in_progress"}})
    tasks = {"2": Task("Second", "completed"), "3": Task("Third", "completed"), "4": Task("New", "in_progress")}
    assert read(workshop).tasks == tasks


def test_a_tasks_number_and_status_are_short(workshop: Workshop) -> None:
    workshop.call("TaskList", output="odd")
    add_record(workshop, {"tasks": [{"id": "7" * 30, "subject": "First", "status": "p" * 30}]})
    assert read(workshop).tasks == {"7" * 20: Task("First", "p" * 20)}


def test_only_a_persons_prompts_are_recorded_by_position(workshop: Workshop) -> None:
    workshop.transcript.prompt("Mine")
    workshop.transcript.prompt("<task-notification>\ndone")
    workshop.transcript.prompt("<command-name>/compact</command-name>")
    workshop.transcript.prompt("<local-command-stdout>Compacted</local-command-stdout>")
    lines = workshop.transcript.path.read_bytes().splitlines()
    for change in ({"isMeta": True}, {"isCompactSummary": True}, {"isSidechain": True}):
        workshop.transcript.append(json.loads(lines[0]) | change)
    blocks = {"message": {"role": "user", "content": [{"type": "image"}, {"type": "text", "text": "With a picture"}]}}
    workshop.transcript.append(json.loads(lines[0]) | blocks | {"parentUuid": "another"})
    assert [request.line for request in read(workshop).requests] == [1, 8]


def test_a_file_that_a_command_has_written_counts_as_edited(workshop: Workshop) -> None:
    workshop.bash("npm test", code=1)
    workshop.bash("sed -i 's/a/b/' cart.py")
    workshop.bash("sed -i 's/a/b/' form.py", code=1)
    activity = read(workshop)
    assert activity.edited == {f"{activity.log.directory}/cart.py": 1}
    assert [failure.edits_since for failure in activity.failures] == [1]


def test_stopping_a_subagent_is_no_refusal(workshop: Workshop) -> None:
    refused = (
        "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit)."
    )
    workshop.call("Agent", failed=True, output=refused, prompt="Fix it")  # as 2.1.197 writes Esc while it works
    assert read(workshop).decisions == []
    words = " To tell you how to proceed, the user said:\nAsk me first"
    workshop.call("Agent", failed=True, output=refused + words, prompt="Fix it")
    workshop.call("Bash", failed=True, output=refused, command="rm x")
    assert [decision.about for decision in read(workshop).decisions] == ["", "rm x"]


def test_the_same_check_in_two_directories_counts_as_two(workshop: Workshop) -> None:
    workshop.bash("make test")
    workshop.bash("cd web && make test", code=2)
    workshop.bash("cd api && make test", code=2)
    activity = read(workshop)
    assert [failure.command for failure in activity.failures] == ["(cd api && make test)", "(cd web && make test)"]
    assert [name for name, last in activity.checks.items() if last.has_passed] == ["make test"]
    workshop.bash("cd api && make test")
    assert [failure.command for failure in read(workshop).failures] == ["(cd web && make test)"]


def test_a_subagent_working_after_a_check_may_have_run_it_too(workshop: Workshop) -> None:
    def is_told() -> list[bool]:
        return [failure.has_delegated for failure in read(workshop).failures]

    workshop.bash("npm test", code=1)
    workshop.call("Agent", subagent_type="Explore", prompt="Where is it?")
    assert is_told() == [False]
    workshop.call("Agent", subagent_type="general-purpose", prompt="Fix it", output="Async agent launched")
    assert is_told() == [True]
    workshop.bash("npm test", code=1)
    assert is_told() == [False]
    ended = '<task-notification>\n<task-id>a1b2</task-id>\n<summary>Agent "Fix it" finished</summary>'
    workshop.transcript.prompt(f"{ended}\n<result>Done</result>\n</task-notification>")
    assert is_told() == [True]
    workshop.bash("npm test")
    assert is_told() == []


@pytest.mark.parametrize("odd", [["x"], {"a": 1}, 7, None, True, ""])
def test_an_odd_tool_argument_does_not_stop_the_reading(workshop: Workshop, odd: Any) -> None:
    """The client records a call before it refuses its arguments."""
    for name, tool in TOOLS.items():
        for argument in {tool.target, *ODD_ARGUMENTS} - {""}:
            workshop.call(name, **{argument: odd})
    workshop.bash("make a", code=2)
    assert [failure.command for failure in read(workshop).failures] == ["make a"]


def test_instructions_of_a_command_or_skill_are_recorded_by_position(workshop: Workshop) -> None:
    transcript = workshop.transcript
    transcript.prompt("<command-name>/spec</command-name>")
    transcript.prompt("Write the plan. Never write code.", isMeta=True)
    workshop.read("a.py")
    for text in ("Not behind a command", "<local-command-caveat>None</local-command-caveat>"):
        transcript.prompt(text, isMeta=True)
    transcript.prompt("Ask one question at a time.", isMeta=True, sourceToolUseID="toolu_1")
    transcript.prompt("Skill /ask is already loaded above.", isMeta=True, sourceToolUseID="toolu_2")
    transcript.prompt("A subagent's skill", isMeta=True, sourceToolUseID="toolu_3", isSidechain=True)
    assert [instruction.line for instruction in read(workshop).instructions] == [2, 7]


def test_a_compaction_is_noted_and_empties_the_log(workshop: Workshop) -> None:
    workshop.read("a.py")
    assert read(workshop).compacted_at == ""
    for trigger in ("auto", "manual"):
        workshop.transcript.boundary(30_000, trigger=trigger)
    activity = read(workshop)
    newest = json.loads(workshop.transcript.path.read_text().splitlines()[-1])
    assert (activity.compacted_at, activity.log.calls) == (newest["timestamp"], [])


@pytest.mark.parametrize(
    "line",
    [
        {
            "type": "assistant",
            "message": {"content": [{"type": "tool_use", "name": "Edit", "input": {"file_path": 5}}]},
        },
        {"type": "assistant", "message": {"content": [{"type": "tool_use", "name": "Bash", "input": []}]}},
        {
            "type": "assistant",
            "message": {"content": [{"type": "tool_use", "name": "TodoWrite", "input": {"todos": {}}}]},
        },
        {"type": "assistant", "message": None},
        {"type": "user", "message": {"content": [{"type": "tool_result", "tool_use_id": None}]}},
        {"type": "user", "message": {"content": 5}},
        {"type": "system", "subtype": "compact_boundary", "compactMetadata": "none"},
        {"type": 5, "tool_use": 1},
        ["tool_use"],
    ],
)
def test_a_line_of_another_shape_is_skipped(workshop: Workshop, line: object) -> None:
    workshop.edit("a.py")
    workshop.transcript.write(json.dumps(line).encode() + b"\n")
    workshop.transcript.write(b'{"type":"user","tool_use\xff\n')
    workshop.edit("b.py")
    assert counts(workshop, read(workshop).edited) == {"a.py": 1, "b.py": 1}


def test_checkpoint_and_patterns_agree_on_a_commands_failure(workshop: Workshop) -> None:
    """Both go by the exit code at the beginning of its result, whether that is flagged as an error or not."""
    workshop.call("Bash", output="Exit code 2\nno rule", command="make a")
    workshop.call("Bash", output="the log says Exit code 2", command="cat log")
    activity = read(workshop)
    assert [failure.command for failure in activity.failures] == ["make a"]
    assert [call.state for call in activity.log.calls] == [FAILED, DONE]


def test_a_file_counts_as_one_however_its_path_is_written(workshop: Workshop) -> None:
    workshop.transcript.append({"type": "user", "cwd": str(workshop.project), "message": {"content": "Go on"}})
    workshop.call("Edit", file_path="src/../a.py", old_string="x", new_string="y")
    workshop.edit("a.py")
    workshop.call("Write", failed=True, output="no", file_path="a.py", content="")
    assert counts(workshop, read(workshop).edited) == {"a.py": 2}


def test_a_result_after_a_compaction_still_counts_for_the_checkpoint(workshop: Workshop) -> None:
    workshop.bash("make", code=2)
    call, result = workshop.transcript.path.read_bytes().splitlines(keepends=True)
    workshop.transcript.path.write_bytes(call)
    workshop.transcript.boundary()
    assert read(workshop).waiting == []
    workshop.transcript.write(result)
    activity = read(workshop)
    assert [failure.command for failure in activity.failures] == ["make"]
    assert activity.log.calls == []


def test_a_command_that_shows_a_file_is_no_read_for_the_checkpoint(workshop: Workshop) -> None:
    workshop.call("Bash", output="all of it", command="cat a.py")
    workshop.call("Bash", failed=True, output="Exit code 1\nno such file", command="cat b.py")
    activity = read(workshop)
    assert [(call.kind, call.state) for call in activity.log.calls] == [("search", DONE), ("search", FAILED)]
    assert (activity.failing, activity.read) == ({}, {})


def test_a_background_commit_counts_where_its_output_is_shown(workshop: Workshop) -> None:
    workshop.call("Bash", record={"backgroundTaskId": "b1a2c3"}, command="git commit -m x")
    assert read(workshop).commits == []
    output = "<status>completed</status>\n<exit_code>0</exit_code>\n<output>\n[main abc1234] Add vouchers\n</output>"
    workshop.call("TaskOutput", output=output, task_id="b1a2c3")
    assert [commit.subject for commit in read(workshop).commits] == ["Add vouchers"]
