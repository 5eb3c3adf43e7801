"""Parts that are switched off say nothing to the agent or the person in a session near its limit."""

from pathlib import Path

import pytest

from tests.client.client import INTERACTIVE, Client
from tests.client.injected import injections
from tests.client.model import MAIN
from tests.client.step import SLOW, bash, say

pytestmark = pytest.mark.client

STEPS = [bash(131_000, SLOW), bash(152_000), say(152_400, "For now."), bash(172_000), say(173_000, "Enough.")]
NOTICE = "Tidegauge: 76% used, CRITICAL."


def session(client: Client, mode: str, project: Path) -> tuple[list[str], str]:
    """The agent's messages in a session of two prompts, and the screen at its end."""
    if mode != INTERACTIVE:
        first = client.headless(project, {MAIN: STEPS[:3]})
        resumed = client.headless(project, {MAIN: STEPS[3:]}, "--resume", first.session_id(), prompt="go on")
        return [injection.text for played in (first, resumed) for injection in injections(played.of(MAIN))], ""
    with client.interactive(project, {MAIN: STEPS}) as conversation:
        conversation.say("go")
        conversation.terminal.wait_for("For now")
        conversation.say("go on")
        screen = conversation.terminal.wait_for("Enough")
    return [injection.text for injection in injections(conversation.model.of(MAIN))], screen


def test_without_warnings_the_agent_is_told_nothing(client: Client, mode: str, project: Path) -> None:
    quiet = client._replace(more={"TIDEGAUGE_HOOKS__CONTEXT_WARNINGS": "false"})

    messages, screen = session(quiet, mode, project)

    assert [text for text in messages if "%" in text or "CONTEXT" in text] == []
    assert NOTICE in screen or mode != INTERACTIVE


def test_without_notices_the_person_is_shown_nothing(client: Client, mode: str, project: Path) -> None:
    quiet = client._replace(more={"TIDEGAUGE_HOOKS__NOTICES": "false"})

    messages, screen = session(quiet, mode, project)

    assert any("CONTEXT WINDOW CRITICAL" in text for text in messages)
    assert "Tidegauge:" not in screen
