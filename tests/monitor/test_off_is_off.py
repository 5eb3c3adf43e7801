"""A part that is switched off stays silent over a whole session with everything else on."""

import json
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from monitor import dispatch
from shared.gauge.wording import RETRACTION
from tests.monitor.workshop import Workshop

FILLS = (20, 36, 50, 55, 62, 66, 71, 76, 82, 86, 96)
SIZES = {"200k": 2_000, "1m": 10_000}
"""Tokens per percent."""


class Reply(NamedTuple):
    """What one event produced."""

    event: str
    agent: str
    person: str


@pytest.fixture(autouse=True)
def everything_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIDEGAUGE_CEILING__PERCENTAGE", "40")
    monkeypatch.setattr("monitor.measuring.snapshot.LAG_SECONDS", 0)


def fired(workshop: Workshop, event: str, **fields: object) -> Iterator[Reply]:
    answer = dispatch.main(json.dumps(workshop.payload(event, **fields)).encode(), str(workshop.root))
    assert not answer.is_blocking
    if answer.stdout.startswith(b"{"):
        output = json.loads(answer.stdout)
        agent = output.get("hookSpecificOutput", {}).get("additionalContext", "")
        yield Reply(event, agent, output.get("systemMessage", "") + answer.stderr.decode())


def session(workshop: Workshop, size: str) -> list[Reply]:
    """All messages in a session from 20 to 96 percent."""
    workshop.transcript.record_requests(is_long=size == "1m")
    replies: list[Reply] = []
    for number, fill in enumerate(FILLS):
        name = f"toolu_{number}"
        workshop.transcript.answer(fill * SIZES[size], tool_use_ids=[name])
        agent = {"tool_name": "Agent", "tool_input": {"subagent_type": "Explore"}}
        replies += fired(workshop, "PostToolUse", tool_name="Bash", tool_input={}, tool_use_id=name)
        replies += fired(workshop, "PreToolUse", tool_use_id=name, **agent)
        replies += fired(workshop, "SubagentStart", agent_id="a1", agent_type="Explore")
        workshop.transcript.result(name)
        replies += fired(workshop, "UserPromptSubmit", prompt="Go on")
    return replies


@pytest.mark.parametrize("size", list(SIZES))
def test_with_both_on_everything_speaks(workshop: Workshop, size: str) -> None:
    replies = session(workshop, size)
    events = {"PostToolUse", "PreToolUse", "SubagentStart", "UserPromptSubmit"}
    assert {reply.event for reply in replies if reply.agent} == events
    assert {reply.event for reply in replies if reply.person} == {"PreToolUse", "UserPromptSubmit"}


@pytest.mark.parametrize("size", list(SIZES))
def test_without_warnings_the_agent_gets_no_message_about_its_window(workshop: Workshop, size: str) -> None:
    workshop.configure("[hooks]\ncontext_warnings = false\n")
    replies = session(workshop, size)
    assert [reply for reply in replies if reply.agent] == []
    assert any(reply.person for reply in replies)
    workshop.compact()
    assert RETRACTION not in workshop.start("compact")  # there is nothing to take back
    assert "This session left checkpoint" in (resumed := workshop.start("resume"))
    assert "%" not in resumed


@pytest.mark.parametrize("size", list(SIZES))
def test_without_notices_the_person_is_shown_nothing_unasked(workshop: Workshop, size: str) -> None:
    workshop.configure("[hooks]\nnotices = false\n")
    replies = session(workshop, size)
    assert [reply for reply in replies if reply.person] == []
    assert any(reply.agent for reply in replies)
    (report,) = fired(workshop, "UserPromptSubmit", prompt="/token-status")
    assert report.person.startswith("Session ")
