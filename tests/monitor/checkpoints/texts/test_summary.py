"""The summary of a session, from its transcript."""

from pathlib import Path

import pytest

from monitor.checkpoints.save import describe
from monitor.checkpoints.texts import sections
from monitor.checkpoints.texts.resumption import resumption
from monitor.checkpoints.texts.summary import LINES, summary_lines
from monitor.checkpoints.token_budget import Section
from monitor.pivot.strategies.spawn import continuation
from tests.monitor.conftest import Carried
from tests.monitor.workshop import Workshop


def lines_of(context: Carried) -> dict[str, str]:
    at = context()
    lines = summary_lines(describe(at.conversation, at.session, at.project, "status", None), at.project)
    assert len(lines) <= LINES
    return {line.label: line.text for line in lines}


def test_a_summary_says_what_was_asked_done_and_failed(workshop: Workshop, context: Carried) -> None:
    workshop.transcript.prompt("Add vouchers to the checkout")
    todos = [("Add the form", "completed"), ("Reject expired ones", "in_progress"), ("Write the guide", "pending")]
    workshop.call("TodoWrite", todos=[{"content": text, "status": state} for text, state in todos])
    workshop.edit("src/cart.py", 2)
    workshop.bash("npm run lint")
    key = "AKIA" + "IOSFODNN7EXAMPLE"
    workshop.call("Bash", failed=True, output=f"Exit code 1\nError: bad key {key}\n\n---", command="npm test 2>&1")
    workshop.transcript.prompt("Call it voucher, not coupon")
    workshop.transcript.answer(30_000, tool_use_ids=(), text="Renamed.\n\nNext: the expired ones.")

    lines = lines_of(context)

    assert lines == {
        "asked": "Add vouchers to the checkout",
        "asked last": "Call it voucher, not coupon",
        "done": "1 task: Add the form",
        "edited": "1 file: src/cart.py",
        "passed": "`npm run lint`",
        "fails": lines["fails"],
        "open": "2 tasks: Reject expired ones; Write the guide",
        "answered last": "Next: the expired ones.",
    }
    assert lines["fails"].startswith("`npm test`: `Error: bad key ")
    assert key not in lines["fails"]


def test_an_answer_followed_by_more_work_is_told_as_older(workshop: Workshop, context: Carried) -> None:
    workshop.transcript.prompt("Add vouchers to the checkout")
    workshop.transcript.answer(30_000, tool_use_ids=(), text="Vouchers work.")
    workshop.transcript.prompt("Now the guide, please")
    workshop.transcript.answer(30_000, tool_use_ids=(), text="Now let me write it:")
    workshop.edit("guide.md")
    lines = lines_of(context)
    assert lines["answered before"] == "Vouchers work."
    assert "answered last" not in lines
    assert "under way" not in lines


def test_an_answer_is_the_last_only_until_something_is_asked_or_done(workshop: Workshop, context: Carried) -> None:
    workshop.transcript.prompt("Add vouchers to the checkout")
    workshop.transcript.answer(30_000, tool_use_ids=(), text="Vouchers work.")
    assert lines_of(context)["answered last"] == "Vouchers work."
    workshop.transcript.prompt("Can it be moved out of draft?")
    assert lines_of(context)["answered before"] == "Vouchers work."
    workshop.bash("gh pr ready")
    at = context()
    text = continuation(describe(at.conversation, at.session, at.project, "spawn", None), None, at.project)
    assert "- answered before: Vouchers work." in text
    assert "## What the agent answered last, before newer requests or steps" in text


def test_a_settled_question_is_no_answer(workshop: Workshop, context: Carried) -> None:
    workshop.transcript.prompt("Add vouchers to the checkout")
    workshop.transcript.answer(30_000, tool_use_ids=(), text="What would you like to clarify?")
    workshop.transcript.prompt("What are the pros of a file?")
    answered = 'User has answered your questions: "Which store?"="Postgres".'
    workshop.call("AskUserQuestion", output=answered, record={"answers": {"Which store?": "Postgres"}}, questions=[])
    assert not lines_of(context).keys() & {"answered last", "answered before"}
    workshop.transcript.answer(30_000, tool_use_ids=(), text="Vouchers lie in Postgres.")
    assert lines_of(context)["answered last"] == "Vouchers lie in Postgres."


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        ("Renamed.\n\nNext: the expired ones.", "Next: the expired ones."),
        ("All tests pass.\n\n1. Form: new\n\n2. Cart: new", "All tests pass."),
        ("## Done\n\nVouchers work.\n\n**Tests (6 files):**\n- Added", "Vouchers work."),
        ("Vouchers work.\n\n**`Cart.tsx`** \u2014 a new button", "Vouchers work."),
        ("Committed.\n\nNote: logo.svg was staged before.", "Committed."),
        ("It is:\n\n```go\nint\n```", "It is:"),
        ("Two ways.\n\nWant to:\n1. Do it now\n2. Wait", "Want to: 1. Do it now 2. Wait"),
        ("Two ways.\n\n**In short:** wait.", "**In short:** wait."),
        ("Two ways.\n\n**All tests pass.** Nothing is left.", "**All tests pass.** Nothing is left."),
        ("- a\n- b", "- a - b"),
    ],
)
def test_the_outcome_in_an_answer_is_quoted(workshop: Workshop, context: Carried, answer: str, outcome: str) -> None:
    workshop.transcript.prompt("Add vouchers to the checkout")
    workshop.transcript.answer(30_000, tool_use_ids=(), text=answer)
    assert lines_of(context)["answered last"] == outcome


def test_unknown_facts_are_left_out(context: Carried) -> None:
    assert lines_of(context) == {}


def test_a_missing_transcript_costs_only_the_reason(workshop: Workshop, context: Carried) -> None:
    workshop.bash("npm test", code=1)
    at = context()
    checkpoint = describe(at.conversation, at.session, at.project, "status", None)
    Path(workshop.transcript.path).unlink()
    assert [line.text for line in summary_lines(checkpoint, at.project)] == ["`npm test`"]


def test_at_most_two_failures_of_checks_are_told(workshop: Workshop, context: Carried) -> None:
    for command in ("deploy one", "npm test", "deploy two", "npm run lint"):
        workshop.bash(command, code=1)
    at = context()
    lines = summary_lines(describe(at.conversation, at.session, at.project, "status", None), at.project)
    assert [line.text.partition(":")[0] for line in lines if line.label == "fails"] == ["`npm run lint`", "`npm test`"]


def test_many_items_are_counted_and_three_are_named(workshop: Workshop, context: Carried) -> None:
    workshop.call("TodoWrite", todos=[{"content": f"Step {number}", "status": "pending"} for number in range(1, 5)])
    for number in range(1, 4):
        workshop.edit(f"{number}.py")
    for number in range(1, 5):
        workshop.bash(f"pytest {number}")
    lines = lines_of(context)
    assert lines["open"] == "4 tasks: Step 1; Step 2; Step 3; \u2026"
    assert lines["edited"] == "3 files: 3.py; 2.py; 1.py"
    assert lines["passed"].count("`pytest") == 3


def test_a_check_that_passed_before_the_newest_edits_is_marked(workshop: Workshop, context: Carried) -> None:
    workshop.edit("a.py")
    workshop.bash("npm test")
    assert lines_of(context)["passed"] == "`npm test`"
    workshop.edit("a.py", 2)
    assert lines_of(context)["passed"] == "`npm test` (2 edits since)"
    workshop.bash("npm test")
    assert lines_of(context)["passed"] == "`npm test`"


def test_a_check_that_failed_is_not_among_those_that_passed(workshop: Workshop, context: Carried) -> None:
    """A wider check has failed since, and stands for it."""
    workshop.bash("npm run test:e2e", code=1)
    workshop.bash("npm run test:ci", code=1)
    lines = lines_of(context)
    assert "passed" not in lines
    assert lines["fails"].startswith("`npm run test:ci`")


def test_commits_stand_for_done_work_if_there_are_no_tasks(workshop: Workshop, context: Carried) -> None:
    workshop.call("Bash", output="[main abc1234] Add the form\n 1 file changed", command="git add . && git commit -m x")
    assert lines_of(context)["done"] == "1 commit: abc1234 Add the form"
    at = context()
    checkpoint = describe(at.conversation, at.session, at.project, "status", None)
    assert sections.commits(checkpoint, 5) == Section("Committed", ["abc1234 Add the form"], 1)
    text = continuation(checkpoint, None, at.project)
    assert "Committed: abc1234 Add the form" in text
    assert "Committed: abc1234 Add the form" in resumption(checkpoint, "/cx", at.project)


def test_a_rebased_commit_is_told_without_an_id(workshop: Workshop, context: Carried) -> None:
    workshop.call("Bash", output="[main abc1234] Add the form\n 1 file changed", command="git add . && git commit -m x")
    rebased = "Rebasing (1/1)\rSuccessfully rebased and updated refs/heads/main."
    workshop.call("Bash", output=rebased, command="git pull --rebase origin main")
    assert lines_of(context)["done"] == "1 commit: Add the form (rebased since)"


def test_the_repositorys_state_comes_last(workshop: Workshop, context: Carried) -> None:
    workshop.repository("vouchers")
    assert lines_of(context) == {"branch": "vouchers, all committed"}
    (workshop.project / "a.py").touch()
    assert lines_of(context) == {"branch": "vouchers, 1 file uncommitted"}
    (workshop.project / "b.py").touch()
    assert lines_of(context) == {"branch": "vouchers, 2 files uncommitted"}
    (workshop.project / ".git" / "MERGE_HEAD").touch()
    assert lines_of(context) == {"branch": "vouchers, in the middle of a merge, 2 files uncommitted"}


def test_one_prompt_is_told_once(workshop: Workshop, context: Carried) -> None:
    workshop.transcript.prompt("Add vouchers")
    assert lines_of(context) == {"asked": "Add vouchers"}
