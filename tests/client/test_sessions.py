"""What was told belongs to one conversation: it lasts over a resumption, and ends with /clear and /compact."""

from pathlib import Path

import pytest

from tests.client.client import Client
from tests.client.injected import expected_in, heads
from tests.client.model import MAIN, SUMMARY
from tests.client.step import SLOW, bash, say
from tests.levels import head_at

pytestmark = pytest.mark.client

MESSAGE = head_at(140_000)


def test_a_cleared_session_is_told_afresh(client: Client, project: Path) -> None:
    steps = [bash(140_000, SLOW), say(140_100, "The first is over."), bash(140_200, SLOW), say(140_300, "Enough.")]
    with client.interactive(project, {MAIN: steps}) as conversation:
        conversation.say("go")
        conversation.terminal.wait_for("The first is over")
        conversation.clear()
        conversation.say("go again")
        conversation.model.wait_for_end()
    assert heads(conversation.model.of(MAIN)) == [(1, MESSAGE), (3, MESSAGE)]


def test_a_compaction_by_hand_arms_the_levels_again(client: Client, project: Path) -> None:
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


def test_a_resumed_session_is_not_told_twice(client: Client, mode: str, project: Path) -> None:
    first = client.headless(project, {MAIN: [bash(140_000, SLOW), bash(140_100), say(140_200, "For now.")]})
    again = [bash(140_300, SLOW), bash(140_400), bash(140_500), bash(140_600), say(140_700, "Enough.")]
    resumed = client.play(mode, project, {MAIN: again}, "--resume", first.session_id())
    assert heads(first.of(MAIN)) == [(1, MESSAGE)]
    # tool uses 3 to 6: the sixth is told
    both = expected_in([(1, MESSAGE), (4, MESSAGE)], client, mode)
    assert heads(resumed.of(MAIN)) == both[1:]
