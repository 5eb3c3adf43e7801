"""The story of a session, from its transcript."""

from pathlib import Path

from monitor.checkpoints.save import describe
from monitor.checkpoints.story import LINES, story
from tests.monitor.pivot.strategies.conftest import Carried, context  # noqa: F401  the fixture
from tests.monitor.workshop import Workshop


def told(context: Carried) -> dict[str, str]:  # noqa: F811  see above
    at = context()
    lines = story(describe(at.conversation, at.session, at.project, "status", None), at.project)
    assert len(lines) <= LINES
    return {line.label: line.text for line in lines}


def test_a_story_says_what_was_asked_done_and_failed(workshop: Workshop, context: Carried) -> None:  # noqa: F811  a fixture
    workshop.transcript.prompt("Add vouchers to the checkout")
    todos = [("Add the form", "completed"), ("Reject expired ones", "in_progress"), ("Write the guide", "pending")]
    workshop.call("TodoWrite", todos=[{"content": text, "status": state} for text, state in todos])
    workshop.edit("src/cart.py", 2)
    workshop.bash("npm run lint")
    key = "AKIA" + "IOSFODNN7EXAMPLE"
    workshop.call("Bash", failed=True, said=f"Exit code 1\nError: bad key {key}\n\n---", command="npm test 2>&1")
    workshop.transcript.prompt("Call it voucher, not coupon")
    workshop.transcript.answer(30_000, tool_use_ids=(), text="Renamed.\n\nNext: the expired ones.")

    found = told(context)

    assert found == {
        "asked": "Add vouchers to the checkout",
        "asked last": "Call it voucher, not coupon",
        "done": "1 task: Add the form",
        "edited": "1 file: src/cart.py",
        "checked": "`npm run lint`",
        "fails": found["fails"],
        "open": "2 tasks: Reject expired ones; Write the guide",
        "said last": "Next: the expired ones.",
    }
    assert found["fails"].startswith("`npm test`: Error: bad key ")
    assert key not in found["fails"]


def test_nothing_is_told_of_what_is_not_known(context: Carried) -> None:  # noqa: F811  a fixture
    assert told(context) == {}


def test_a_transcript_that_is_gone_costs_the_reason_alone(workshop: Workshop, context: Carried) -> None:  # noqa: F811  a fixture
    workshop.bash("npm test", code=1)
    at = context()
    known = describe(at.conversation, at.session, at.project, "status", None)
    Path(workshop.transcript.path).unlink()
    assert [line.text for line in story(known, at.project)] == ["`npm test`"]


def test_at_most_two_failures_are_told_and_those_of_checks_first(workshop: Workshop, context: Carried) -> None:  # noqa: F811  a fixture
    for command in ("deploy one", "npm test", "deploy two", "npm run lint"):
        workshop.bash(command, code=1)
    at = context()
    lines = story(describe(at.conversation, at.session, at.project, "status", None), at.project)
    assert [line.text.partition(":")[0] for line in lines if line.label == "fails"] == ["`npm run lint`", "`npm test`"]


def test_what_is_many_is_counted_and_three_are_named(workshop: Workshop, context: Carried) -> None:  # noqa: F811  a fixture
    workshop.call("TodoWrite", todos=[{"content": f"Step {number}", "status": "pending"} for number in range(1, 5)])
    for number in range(1, 4):
        workshop.edit(f"{number}.py")
    for number in range(1, 5):
        workshop.bash(f"pytest {number}")
    found = told(context)
    assert found["open"] == "4 tasks: Step 1; Step 2; Step 3; \u2026"
    assert found["edited"] == "3 files: 3.py; 2.py; 1.py"
    assert found["checked"].count("`pytest") == 3


def test_where_the_repository_stands_is_told_last(workshop: Workshop, context: Carried) -> None:  # noqa: F811  a fixture
    workshop.repository("vouchers")
    assert told(context) == {"branch": "vouchers, all committed"}
    (workshop.project / "a.py").touch()
    assert told(context) == {"branch": "vouchers, 1 file uncommitted"}
    (workshop.project / "b.py").touch()
    assert told(context) == {"branch": "vouchers, 2 files uncommitted"}


def test_one_prompt_is_told_once(workshop: Workshop, context: Carried) -> None:  # noqa: F811  a fixture
    workshop.transcript.prompt("Add vouchers")
    assert told(context) == {"asked": "Add vouchers"}
