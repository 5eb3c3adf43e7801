"""The cost of a full window: a person at the screen sees it with their next prompt, a headless run doesn't."""

from pathlib import Path

import pytest

from monitor.memory import memory as memories
from tests.client.client import HEADLESS, MILLION, Client
from tests.client.injected import injections
from tests.client.model import MAIN, ScriptedModel
from tests.client.step import bash, say

pytestmark = pytest.mark.client

STEPS = [bash(240_000), say(240_400, "For now."), say(241_000, "Enough.")]


def noted_cost(client: Client, played: ScriptedModel) -> int:
    """Tokens at the person's last notice; 0 for none."""
    memory = memories.read(str(client.program), played.session_id())
    assert memory is not None
    assert memory.prompt is not None
    return memory.prompt.cost_tokens


def test_the_person_is_notified_and_a_headless_run_is_not(client: Client, mode: str, project: Path) -> None:
    if mode == HEADLESS:
        first = client.headless(project, {MAIN: STEPS[:2]}, model=MILLION)
        resumed = ("--resume", first.session_id())
        played = client.headless(project, {MAIN: STEPS[2:]}, *resumed, prompt="go on", model=MILLION)
        assert played.session_id() == first.session_id()
        assert noted_cost(client, played) == 0
        return
    with client.interactive(project, {MAIN: STEPS}, model=MILLION) as conversation:
        conversation.say("go")
        conversation.terminal.wait_for("For now")
        conversation.say("go on")
        screen = conversation.terminal.wait_for("Enough")
    assert "Each tool use re-reads 240k tokens" in screen
    assert "/token-status --pivot spawn" in screen
    assert noted_cost(client, conversation.model) == 200_000
    assert not any("re-reads" in injection.text for injection in injections(conversation.model.of(MAIN)))
