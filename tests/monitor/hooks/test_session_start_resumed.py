"""SessionStart of a resumed session: its checkpoint with the present state of the work."""

import pytest

from tests.monitor.workshop import Workshop


def test_finished_work_is_not_open_in_a_resumed_session(workshop: Workshop) -> None:
    workshop.transcript.prompt("Add the vouchers to the checkout, with a form of their own")
    workshop.bash("npm test", code=1)
    workshop.call("TodoWrite", todos=[{"content": "Write the form", "status": "pending"}])
    workshop.compact()
    workshop.transcript.boundary()
    workshop.transcript.summary("Work on the shop.")
    assert "Write the form" in workshop.start("resume")
    workshop.bash("npm test")
    workshop.call("TodoWrite", todos=[{"content": "Write the form", "status": "completed"}])

    message = workshop.start("resume")

    assert "Failed" not in message
    assert "Open tasks" not in message
    assert "Add the vouchers to the checkout" in message


def test_newer_requests_come_with_a_resumed_session(workshop: Workshop) -> None:
    workshop.transcript.prompt("Build the shop with a voucher field")
    workshop.transcript.answer(152_000, tool_use_ids=(), text="I begin.")
    workshop.compact("manual")
    saved = workshop.start("resume")
    workshop.transcript.prompt("Make the footer blue on every page")
    workshop.transcript.answer(153_000, tool_use_ids=(), text="The footer is blue.")

    message = workshop.start("resume")

    assert "has gone on since" not in saved
    assert "Asked: Build the shop with a voucher field" in saved
    assert "has gone on since. The work goes on from its present state, unless" in message
    assert "Last asked: Make the footer blue on every page" in message
    assert "Requests up to the last checkpoint: " in message


@pytest.mark.parametrize(
    ("answer", "label"),
    [("Done.", "All requests and the last answer"), ("", "Requests up to the last checkpoint")],
)
def test_the_label_says_whether_the_last_answer_is_stored(workshop: Workshop, answer: str, label: str) -> None:
    workshop.transcript.prompt("Build the shop with a voucher field")
    if answer:
        workshop.transcript.answer(152_000, tool_use_ids=(), text=answer)
    else:
        workshop.bash("make")
    workshop.compact()
    assert f"\n{label}: " in workshop.start("compact")
