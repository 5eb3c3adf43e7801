"""The texts with a prompt that never reached the agent, blocked by a hook or taken back by Esc, are repeated."""

import pytest

from shared.gauge.wording import RETRACTION
from tests.monitor.workshop import Workshop

ALERT = "<compaction-alert>"


def alert_of(prompt: str) -> str:
    return prompt.partition(ALERT)[2]


@pytest.fixture
def alert(workshop: Workshop) -> str:
    """The alert at the first prompt after a compaction."""
    workshop.edit("src/app.py", 3)
    workshop.transcript.answer(167_000)
    workshop.compact()
    workshop.transcript.boundary()
    workshop.start("compact")
    return alert_of(workshop.prompt())


def test_an_alert_is_repeated_until_the_agent_answers(workshop: Workshop, alert: str) -> None:
    assert "src/app.py (3x)" in alert
    workshop.transcript.prompt("Fix it")  # what a prompt that was taken back leaves behind
    assert [alert_of(workshop.prompt()), alert_of(workshop.prompt())] == [alert, alert]
    assert workshop.marks() == ["cx-001"]
    workshop.transcript.answer(20_000)
    assert [alert_of(workshop.prompt()), alert_of(workshop.prompt())] == ["", ""]


def test_without_a_precompact_event_the_alert_names_the_same_checkpoint(workshop: Workshop) -> None:
    workshop.transcript.answer(167_000)
    workshop.prompt()
    workshop.transcript.boundary(167_000, 4_000)
    first = alert_of(workshop.prompt())
    saved = len(workshop.checkpoints())
    assert f"cx-{saved:03}" in first
    assert f"cx-{saved:03}" in alert_of(workshop.prompt())
    assert len(workshop.checkpoints()) == saved


@pytest.mark.parametrize("outcome", ["error", "interruption"])
def test_an_unanswered_prompt_keeps_its_alert(workshop: Workshop, alert: str, outcome: str) -> None:
    workshop.transcript.prompt("Fix it")
    if outcome == "error":
        workshop.transcript.synthetic()
    else:
        workshop.transcript.prompt("[Request interrupted by user]")
    assert alert
    assert alert_of(workshop.prompt()) == ""


def test_an_unanswered_prompt_keeps_its_retraction(workshop: Workshop) -> None:
    workshop.transcript.answer(150_000, tool_use_ids=["toolu_1"])
    assert "CRITICAL" in workshop.use("toolu_1")
    workshop.configure("window.size = 1_000_000")
    workshop.transcript.answer(151_000)
    assert [RETRACTION in workshop.prompt() for _ in range(3)] == [True] * 3
    workshop.transcript.answer(152_000)
    assert RETRACTION not in workshop.prompt()
