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


def test_a_story_says_what_was_asked_done_and_failed(workshop: Workshop, context: Carried) -> None:  # noqa: F811
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


def test_nothing_is_told_of_what_is_not_known(context: Carried) -> None:  # noqa: F811
    assert told(context) == {}


def test_a_transcript_that_is_gone_costs_the_reason_alone(workshop: Workshop, context: Carried) -> None:  # noqa: F811
    workshop.bash("npm test", code=1)
    at = context()
    known = describe(at.conversation, at.session, at.project, "status", None)
    Path(workshop.transcript.path).unlink()
    assert [line.text for line in story(known, at.project)] == ["`npm test`"]
