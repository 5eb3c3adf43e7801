"""Requests and answers on an abandoned branch no longer count; what was done there does."""

import pytest

from monitor.activity.requests import PLAN_HANDED_OVER
from tests.monitor.activity.test_reader import read
from tests.monitor.checkpoints.saved_words import saved_words
from tests.monitor.workshop import Workshop


def say(workshop: Workshop, prompt: str, answer: str) -> str | None:
    """Write one turn; return the parent line of its prompt."""
    before = workshop.transcript.newest
    workshop.transcript.prompt(prompt)
    workshop.transcript.answer(20_000, tool_use_ids=(), text=answer)
    return before


def lines(workshop: Workshop) -> list[int]:
    return [request.line for request in read(workshop).requests]


def test_a_checkpoint_follows_the_persons_branch(workshop: Workshop) -> None:
    say(workshop, "Add the voucher field", "The field is in the form.")
    fork = say(workshop, "Rewrite it in Rust", "All of it is in Rust, and the tests are gone.")
    workshop.call("Bash", output="Exit code 1\nno such gem", failed=True, command="bundle show vouchers")
    workshop.edit("src/vouchers.rs")
    workshop.transcript.rewind(fork)
    workshop.transcript.prompt("Test an expired voucher")
    workshop.compact()
    (words,) = saved_words(workshop)
    assert [request["text"] for request in words["requests"]] == ["Add the voucher field", "Test an expired voucher"]
    assert words["finished"] == "The field is in the form."
    assert "Rust" not in str(words)
    assert "bundle" not in str(words)
    (checkpoint,) = workshop.checkpoints()
    assert [file["path"] for file in checkpoint["files_edited"]] == [str(workshop.project / "src/vouchers.rs")]


def test_a_rewind_is_noticed_wherever_the_reading_stopped(workshop: Workshop) -> None:
    fork = say(workshop, "one", "1")
    assert lines(workshop) == [1]
    workshop.transcript.rewind(fork)
    say(workshop, "two", "2")
    assert lines(workshop) == [3]
    workshop.transcript.rewind(fork)
    say(workshop, "three", "3")
    say(workshop, "four", "4")
    assert lines(workshop) == [5, 7]


def test_a_decision_and_a_summary_on_an_abandoned_branch_are_dropped(workshop: Workshop) -> None:
    fork = say(workshop, "one", "1")
    workshop.call("ExitPlanMode", output="User has approved your plan.", record={"plan": "x"}, plan="x")
    workshop.transcript.boundary()
    workshop.transcript.summary("All done.")
    before = read(workshop)
    assert (len(before.decisions), before.summary is None) == (1, False)
    workshop.transcript.rewind(fork)
    workshop.transcript.prompt("two")
    after = read(workshop)
    assert (after.decisions, after.summary, after.finished, after.request_count) == ([], None, None, 1)


@pytest.mark.parametrize("kind", ["a plan", "no tree", "a loose line", "a queue"])
def test_two_lines_with_the_same_parent_may_be_no_rewind(workshop: Workshop, kind: str) -> None:
    fork = say(workshop, "one", "1")
    workshop.transcript.rewind(fork)
    if kind == "a plan":
        say(workshop, f"{PLAN_HANDED_OVER}\n\n1. Test it", "2")
    elif kind == "no tree":
        workshop.transcript.append({"type": "user", "message": {"role": "user", "content": "two"}})
    elif kind == "a queue":
        workshop.transcript.append({"type": "queue-operation", "operation": "enqueue", "content": "two"})
    else:
        workshop.transcript.prompt("<local-command-stdout>Set model</local-command-stdout>")
        workshop.transcript.result("toolu_7")
    assert lines(workshop)[0] == 1
