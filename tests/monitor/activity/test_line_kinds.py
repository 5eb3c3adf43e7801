"""What each kind of line counts as: answers, prompts, queued prompts, and lists of tasks."""

from typing import Any

import pytest

from monitor.activity.activity import Task
from tests.monitor.activity.test_reader import read
from tests.monitor.workshop import Workshop


def test_an_answer_in_several_lines_is_one_turn(workshop: Workshop) -> None:
    workshop.transcript.answer(20_000, id="msg_1", tool_use_ids=["toolu_1", "toolu_2"])
    workshop.transcript.answer(21_000, id="msg_2", tool_use_ids=["toolu_3"])
    log = read(workshop).log
    assert (log.turns, log.answer, log.tokens, log.call_count) == (2, "msg_2", 21_000, 3)
    assert [call.turn for call in log.calls] == [1, 1, 2]


def test_answers_without_an_id_are_separate_turns(workshop: Workshop) -> None:
    for name in ("toolu_1", "toolu_2"):
        workshop.transcript.answer(20_000, tool_use_ids=[name])
        text = workshop.transcript.path.read_text()
        workshop.transcript.path.write_text(text.replace('"id":"msg_', '"no":"msg_'))
    assert read(workshop).log.turns == 2


def test_the_position_of_the_agents_newest_words_is_its_answers(workshop: Workshop) -> None:
    workshop.transcript.answer(20_000, tool_use_ids=(), text="Done.")
    workshop.transcript.answer(20_000, tool_use_ids=(), text="  ")
    workshop.transcript.answer(20_000, tool_use_ids=["toolu_1"])
    answer = read(workshop).answer
    assert answer is not None
    assert answer.line == 1


@pytest.mark.parametrize(
    "mark",
    [
        {"isApiErrorMessage": True},
        {"message": {"role": "assistant", "model": "<synthetic>", "stop_reason": "end_turn"}},
    ],
)
def test_an_error_of_the_clients_own_is_no_answer(workshop: Workshop, mark: dict[str, Any]) -> None:
    workshop.transcript.answer(20_000, tool_use_ids=(), text="Done.")
    content = [{"type": "text", "text": "Not logged in \u00b7 Please run /login"}]
    error = {"type": "assistant", "message": {"role": "assistant"}, **mark}
    error["message"] = {**error["message"], "content": content}
    workshop.transcript.append(error)
    activity = read(workshop)
    assert activity.answer is not None
    assert activity.answer.line == 1
    assert activity.log.turns == 1


@pytest.mark.parametrize(
    ("text", "counts"), [("Also the tests", 1), ('{"kind": "event"}', 0), ("<task-notification>done", 0), (" ", 0)]
)
def test_a_prompt_that_waits_in_the_queue_counts(workshop: Workshop, text: str, counts: int) -> None:
    workshop.transcript.append({"type": "queue-operation", "operation": "enqueue", "content": text})
    activity = read(workshop)
    assert (activity.log.prompts, len(activity.requests)) == (counts, counts)


def test_a_wake_up_scheduled_by_the_agent_is_no_request(workshop: Workshop) -> None:
    workshop.transcript.append({"type": "queue-operation", "operation": "enqueue", "content": "Check the build"})
    workshop.transcript.prompt("Check the build", isMeta=True, promptSource="system")
    assert read(workshop).requests == []


def test_a_prompt_counts_with_its_place(workshop: Workshop) -> None:
    workshop.transcript.prompt("Add vouchers")
    workshop.transcript.result("toolu_unknown", "ok")
    workshop.transcript.prompt("Fix the tests")
    activity = read(workshop)
    assert [request.line for request in activity.requests] == [1, 3]
    assert activity.log.prompts == 2


def test_a_summary_empties_the_log_and_is_no_prompt(workshop: Workshop) -> None:
    workshop.edit("a.py")
    workshop.transcript.summary("Vouchers were added.")
    activity = read(workshop)
    assert (activity.log.calls, activity.requests) == ([], [])


@pytest.mark.parametrize(
    ("item", "task"),
    [
        ({"content": "Add  the\nform", "status": "in_progress"}, Task("Add the form", "in_progress")),
        ({"content": "Add the form"}, Task("Add the form", "pending")),
        ({"content": "Add the form", "status": 7}, Task("Add the form", "pending")),
        ({"content": "x" * 301}, Task("x" * 300)),
        ({"content": "Add the form", "status": "s" * 21}, Task("Add the form", "s" * 20)),
        ({"content": ""}, None),
        ({"content": 7}, None),
        ("Add the form", None),
    ],
)
def test_a_task_in_a_list_is_kept_as_far_as_it_is_valid(workshop: Workshop, item: Any, task: Task | None) -> None:
    workshop.call("TodoWrite", todos=[item])
    assert [*read(workshop).tasks.values()] == ([task] if task else [])
