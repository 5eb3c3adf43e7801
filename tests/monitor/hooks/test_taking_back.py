"""A message about the window that no longer holds is retracted by whichever text comes next."""

import pytest

from shared.gauge.wording import RETRACTION
from tests.monitor.workshop import Workshop
from tests.transcripts import OLD_CLIENT, Transcript

NORMAL, WARNING, CRITICAL, EXHAUSTED = 60_000, 130_000, 150_000, 164_000


def message_at(workshop: Workshop, tokens: int) -> str:
    """The message to the agent at a tool use at `tokens` tokens."""
    name = f"toolu_{workshop.transcript.size}"
    workshop.transcript.answer(tokens, id=f"msg_{name}", tool_use_ids=[name])
    message = workshop.use(name)
    workshop.transcript.result(name)
    return message


def test_after_a_compaction_the_resumption_retracts_it_once(workshop: Workshop) -> None:
    assert "CRITICAL" in message_at(workshop, CRITICAL)
    workshop.compact()
    assert workshop.start("compact").splitlines()[:2] == [RETRACTION, "<resumption-context>"]
    workshop.transcript.boundary(CRITICAL, 4_000)
    assert RETRACTION not in message_at(workshop, WARNING)
    assert RETRACTION not in workshop.prompt()


def test_it_is_retracted_if_nothing_is_resumed(workshop: Workshop) -> None:
    workshop.configure("hooks.resumption = false")
    message_at(workshop, CRITICAL)
    assert workshop.start("compact") == RETRACTION


@pytest.mark.parametrize("source", ["startup", "resume", "clear"])
def test_another_start_retracts_nothing(workshop: Workshop, source: str) -> None:
    message_at(workshop, CRITICAL)
    assert RETRACTION not in workshop.start(source)


def test_without_an_event_the_next_tool_use_retracts_it_once(workshop: Workshop) -> None:
    message_at(workshop, CRITICAL)
    workshop.transcript.boundary(CRITICAL, 4_000)
    assert message_at(workshop, NORMAL) == RETRACTION
    assert RETRACTION not in message_at(workshop, WARNING)
    assert RETRACTION not in message_at(workshop, CRITICAL)


def test_without_an_event_the_next_prompts_tag_retracts_it_once(workshop: Workshop) -> None:
    message_at(workshop, CRITICAL)
    workshop.configure("hooks.tag_every_prompt = true")
    workshop.transcript.answer(NORMAL)  # as after a rewind
    assert workshop.prompt().splitlines()[0] == RETRACTION
    workshop.transcript.answer(NORMAL)
    assert RETRACTION not in workshop.prompt()
    assert RETRACTION not in message_at(workshop, WARNING)


@pytest.mark.parametrize("is_prompt", [True, False])
def test_an_outdated_tag_is_retracted_once(workshop: Workshop, *, is_prompt: bool) -> None:
    workshop.configure("hooks.tag_every_prompt = false")
    workshop.transcript.answer(WARNING)
    assert "<tier>WARNING" in workshop.prompt()
    workshop.configure("hooks.tag_every_prompt = false\nwindow.size = 1000000")
    assert (workshop.prompt() if is_prompt else message_at(workshop, WARNING)) == RETRACTION
    assert message_at(workshop, WARNING) == workshop.prompt() == ""


def test_a_compaction_keeps_its_own_prompts_tag(workshop: Workshop) -> None:
    workshop.transcript.answer(WARNING)
    workshop.prompt()
    assert workshop.start("compact") == RETRACTION
    workshop.transcript.boundary(WARNING, 4_000)
    assert message_at(workshop, NORMAL) == ""


@pytest.mark.parametrize("is_at_work", [True, False])
def test_the_earlier_client_puts_a_start_before_a_kept_tool_result(workshop: Workshop, *, is_at_work: bool) -> None:
    workshop.transcript = Transcript(workshop.transcript.path, version=OLD_CLIENT)
    workshop.configure("hooks.resumption = false")
    message_at(workshop, CRITICAL)
    if not is_at_work:
        workshop.transcript.answer(CRITICAL, tool_use_ids=())
    assert workshop.start("compact") == RETRACTION
    workshop.transcript.boundary(CRITICAL, 4_000)
    assert message_at(workshop, NORMAL) == (RETRACTION if is_at_work else "")


@pytest.mark.parametrize("level", ["WARNING", "CRITICAL"])
def test_a_level_abandoned_by_a_rewind_is_reported_again_at_the_first_tool_use(workshop: Workshop, level: str) -> None:
    tokens = {"WARNING": WARNING, "CRITICAL": CRITICAL}[level]
    first = message_at(workshop, NORMAL) + message_at(workshop, tokens)
    workshop.transcript.answer(NORMAL)  # as after a rewind
    workshop.prompt()
    assert f"CONTEXT WINDOW {level}" in first
    assert f"CONTEXT WINDOW {level}" in message_at(workshop, tokens + 500)


def test_a_larger_window_retracts_it(workshop: Workshop) -> None:
    message_at(workshop, CRITICAL)
    workshop.configure("window.size = 1_000_000\nhooks.tag_every_prompt = true")
    workshop.transcript.answer(CRITICAL + 1_000)
    assert RETRACTION in workshop.prompt()


def test_a_level_that_still_holds_is_not_retracted(workshop: Workshop) -> None:
    message_at(workshop, WARNING)
    assert RETRACTION not in workshop.prompt()
    assert RETRACTION not in message_at(workshop, CRITICAL)


def with_subagent(workshop: Workshop) -> None:
    """Have 2.1.197, which names no compaction's owner, write the session, with a subagent at work in it."""
    workshop.transcript = Transcript(workshop.transcript.path, version=OLD_CLIENT)
    message_at(workshop, CRITICAL)
    workshop.fire("SubagentStart", agent_id="a1", agent_type="general-purpose")


def test_a_subagents_compaction_does_not_retract_its_callers_message(workshop: Workshop) -> None:
    with_subagent(workshop)
    workshop.configure("hooks.resumption = false")
    assert workshop.start("compact") == ""
    assert RETRACTION not in workshop.prompt()
    assert RETRACTION not in message_at(workshop, CRITICAL + 1_000)


def test_the_callers_own_compaction_is_recognised_by_its_transcript(workshop: Workshop) -> None:
    with_subagent(workshop)
    workshop.configure("hooks.resumption = false")
    assert workshop.start("compact") == ""
    workshop.transcript.boundary(CRITICAL, 4_000)
    assert message_at(workshop, NORMAL) == RETRACTION
    assert RETRACTION not in message_at(workshop, WARNING)


def test_the_callers_message_is_retracted_at_once_if_a_subagent_has_ended(workshop: Workshop) -> None:
    """2.1.197 keeps the prompt that a compaction is for, with its tag, and there may be no tool use after it."""
    workshop.transcript = Transcript(workshop.transcript.path, version=OLD_CLIENT)
    workshop.fire("SubagentStart", agent_id="a1", agent_type="Explore")
    workshop.transcript.subagent("a1").answer(20_000, tool_use_ids=[])
    workshop.transcript.answer(CRITICAL, tool_use_ids=[])
    assert "CRITICAL" in workshop.prompt()
    workshop.compact()
    assert workshop.start("compact").splitlines()[0] == RETRACTION


def test_a_subagents_own_compaction_retracts_it_in_its_next_request(workshop: Workshop) -> None:
    agent = workshop.transcript.subagent("a1")
    agent.answer(CRITICAL, tool_use_ids=["toolu_a"])
    assert "CRITICAL" in workshop.use("toolu_a", agent_id="a1")
    assert workshop.start("compact", agent_id="a1") == RETRACTION
    assert workshop.start("compact", agent_id="a1") == ""
    agent.boundary(CRITICAL, 4_000)
    agent.answer(WARNING, tool_use_ids=["toolu_b"])
    assert RETRACTION not in workshop.use("toolu_b", agent_id="a1")


@pytest.mark.parametrize("source", ["startup", "resume"])
def test_another_start_of_a_subagent_retracts_nothing(workshop: Workshop, source: str) -> None:
    workshop.transcript.subagent("a1").answer(CRITICAL, tool_use_ids=["toolu_a"])
    workshop.use("toolu_a", agent_id="a1")
    assert workshop.start(source, agent_id="a1") == ""


def test_a_compaction_written_before_its_start_event_begins_one_cycle(workshop: Workshop) -> None:
    message_at(workshop, CRITICAL)
    workshop.compact()
    workshop.transcript.boundary(CRITICAL, 4_000)
    workshop.transcript.answer(WARNING, id="msg_after", tool_use_ids=["toolu_after"])
    workshop.start("compact")
    assert "WARNING" in workshop.use("toolu_after")
    workshop.transcript.result("toolu_after")
    assert message_at(workshop, WARNING + 100) == ""


def test_a_level_is_saved_even_if_a_subagent_may_have_been_compacted(workshop: Workshop) -> None:
    """Where nothing tells whose a compaction is, the session's transcript still counts."""
    with_subagent(workshop)
    workshop.transcript.answer(EXHAUSTED, tool_use_ids=[])
    before = len(workshop.checkpoints())
    workshop.start("compact")
    workshop.fire("Stop")
    assert len(workshop.checkpoints()) == before + 1
