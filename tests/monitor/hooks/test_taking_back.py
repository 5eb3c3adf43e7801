"""What was told of a window is taken back once it no longer holds, by whichever text comes next."""

import pytest

from shared.wording import TAKEN_BACK
from tests.monitor.workshop import Workshop

NORMAL, WARNING, CRITICAL = 60_000, 130_000, 150_000


def told(workshop: Workshop, tokens: int) -> str:
    """What the agent reads beside a tool use at `tokens` tokens."""
    name = f"toolu_{workshop.transcript.size}"
    workshop.transcript.answer(tokens, id=f"msg_{name}", tool_use_ids=[name])
    said = workshop.use(name)
    workshop.transcript.result(name)
    return said


def test_after_a_compaction_the_resumption_takes_it_back_once(workshop: Workshop) -> None:
    assert "CRITICAL" in told(workshop, CRITICAL)
    workshop.compact()
    assert workshop.start("compact").splitlines()[:2] == [TAKEN_BACK, "<resumption-context>"]
    workshop.transcript.boundary(CRITICAL, 4_000)
    assert TAKEN_BACK not in told(workshop, WARNING)
    assert TAKEN_BACK not in workshop.prompt()


def test_it_is_taken_back_where_nothing_is_resumed(workshop: Workshop) -> None:
    workshop.configure("hooks.resumption = false")
    told(workshop, CRITICAL)
    assert workshop.start("compact") == TAKEN_BACK


@pytest.mark.parametrize("source", ["startup", "resume", "clear"])
def test_another_start_takes_nothing_back(workshop: Workshop, source: str) -> None:
    told(workshop, CRITICAL)
    assert TAKEN_BACK not in workshop.start(source)


def test_without_an_event_the_next_message_does_it_once(workshop: Workshop) -> None:
    told(workshop, CRITICAL)
    workshop.transcript.boundary(CRITICAL, 4_000)
    assert told(workshop, NORMAL) == ""
    assert TAKEN_BACK in told(workshop, WARNING)
    assert TAKEN_BACK not in told(workshop, CRITICAL)


def test_or_the_next_prompts_tag(workshop: Workshop) -> None:
    told(workshop, CRITICAL)
    workshop.configure("hooks.tag_every_prompt = true")
    workshop.transcript.answer(NORMAL)  # as after a rewind
    assert workshop.prompt().splitlines()[0] == TAKEN_BACK
    assert TAKEN_BACK not in workshop.prompt()
    assert TAKEN_BACK not in told(workshop, WARNING)


def test_a_larger_window_takes_it_back(workshop: Workshop) -> None:
    told(workshop, CRITICAL)
    workshop.configure("window.size = 1_000_000\nhooks.tag_every_prompt = true")
    workshop.transcript.answer(CRITICAL + 1_000)
    assert TAKEN_BACK in workshop.prompt()


def test_what_still_holds_is_not_taken_back(workshop: Workshop) -> None:
    told(workshop, WARNING)
    assert TAKEN_BACK not in workshop.prompt()
    assert TAKEN_BACK not in told(workshop, CRITICAL)
