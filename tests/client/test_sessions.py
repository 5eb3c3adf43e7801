"""A conversation's memory of its messages lasts over a resumption, and ends with /clear and /compact."""

import threading
from pathlib import Path

import pytest

from tests.client.client import Client
from tests.client.injected import heads
from tests.client.model import MAIN, SUMMARY, ScriptedModel
from tests.client.step import SLOW, bash, say
from tests.levels import FIRST_TOKENS, head_at

pytestmark = pytest.mark.client

MESSAGE = head_at(140_000)


def test_a_cleared_session_gets_its_messages_again(client: Client, project: Path) -> None:
    steps = [bash(140_000, SLOW), say(140_100, "The first is over."), bash(140_200, SLOW), say(140_300, "Enough.")]
    with client.interactive(project, {MAIN: steps}) as conversation:
        conversation.say("go")
        conversation.terminal.wait_for("The first is over")
        conversation.clear()
        conversation.say("go again")
        conversation.model.wait_for_end()
    assert heads(conversation.model.of(MAIN)) == [(1, MESSAGE), (3, MESSAGE)]


def test_a_manual_compaction_re_arms_the_levels(client: Client, project: Path) -> None:
    steps = [bash(140_000, SLOW), say(140_100, "The first is over."), bash(140_200, SLOW), say(140_300, "Enough.")]
    with client.interactive(project, {MAIN: steps}) as conversation:
        conversation.say("go")
        conversation.terminal.wait_for("The first is over")
        conversation.terminal.type("/compact")
        conversation.model.wait_for_requests(1, SUMMARY)
        conversation.terminal.wait_for("Compacted")
        conversation.say("go again")
        conversation.model.wait_for_end()
    assert heads(conversation.model.of(MAIN)) == [(1, MESSAGE), (3, MESSAGE)]


def test_a_resumed_session_gets_no_message_twice(client: Client, mode: str, project: Path) -> None:
    first = client.headless(project, {MAIN: [bash(140_000, SLOW), bash(140_100), say(140_200, "For now.")]})
    again = [bash(140_300, SLOW), bash(140_400), bash(140_500), bash(140_600), say(140_700, "Enough.")]
    resumed = client.play(mode, project, {MAIN: again}, "--resume", first.session_id())
    assert heads(first.of(MAIN)) == [(1, MESSAGE)]
    assert heads(resumed.of(MAIN)) == [(4, MESSAGE)]  # tool uses 3 to 6: the sixth is told


def test_two_clients_in_one_session_each_get_their_own_figures(client: Client, project: Path) -> None:
    """While one client's tool runs, the other reaches a level: its answers are the newest in their transcript."""
    first = client.headless(project, {MAIN: [bash(20_000), say(21_000, "For now.")]})
    messages = []

    def go_on() -> None:
        steps = [bash(FIRST_TOKENS - 20_000), bash(FIRST_TOKENS + 1_000, SLOW), say(172_000, "Enough.")]
        messages.append(heads(client.headless(project, {MAIN: steps}, "--resume", first.session_id()).of(MAIN)))
        (project / "ended").touch()

    other = threading.Thread(target=go_on)

    def hold(_: ScriptedModel) -> None:
        other.start()

    waits = bash(50_000, "until [ -e ended ]; do sleep 0.1; done")._replace(hold=hold)
    played = client.headless(project, {MAIN: [waits, say(50_100, "Enough.")]}, "--resume", first.session_id())
    other.join()
    assert heads(played.of(MAIN)) == []
    assert messages == [[(2, head_at(FIRST_TOKENS + 1_000))]]
