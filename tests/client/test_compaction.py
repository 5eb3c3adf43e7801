"""A compaction makes room, and earlier messages no longer hold a new one back."""

import re
import threading
from pathlib import Path

import pytest

from shared.gauge.wording import RETRACTION
from tests.client.client import COMPACTED, Client
from tests.client.injected import heads, injections
from tests.client.model import MAIN, SUMMARY, ScriptedModel
from tests.client.step import SLOW, bash, say
from tests.client.terminal import SPINNER
from tests.levels import FIRST_TOKENS, head_at

pytestmark = pytest.mark.client

PASSING = "import unittest\\nclass Test(unittest.TestCase):\\n    def test_it(self): pass\\n"


def test_an_automatic_compaction_re_arms_the_levels(client: Client, mode: str, project: Path) -> None:
    steps = [
        bash(FIRST_TOKENS - 20_000),
        bash(FIRST_TOKENS + 2_000),
        bash(168_000),  # past 167,000: the client compacts before its next request
        # The level again, never NORMAL in between: without the compaction it would be debounced. No real window fills
        # like that in one turn, so the monitor doesn't wait for the answer to be written.
        bash(FIRST_TOKENS + 5_000, SLOW),
        bash(FIRST_TOKENS + 5_100),
        bash(FIRST_TOKENS - 18_000),
        bash(FIRST_TOKENS + 7_000),  # a return to NORMAL arms as well
        # 18 % are left, but the client is now known to compact at 168,000, so every level is reached before. A leap of
        # 28,000 is no usual turn either.
        bash(164_000, SLOW),
        say(164_100, "Enough."),
    ]
    played = client.play(mode, project, {MAIN: steps}, model=COMPACTED)
    assert len(played.of(SUMMARY)) == 1
    messages = heads(played.of(MAIN))
    assert messages[0] == (2, head_at(FIRST_TOKENS + 2_000))
    # Request 3 is the first one after the compaction. The client keeps the turn before it, our message included.
    assert messages[2:] == [
        (4, head_at(FIRST_TOKENS + 5_000)),
        (7, head_at(FIRST_TOKENS + 7_000)),
        (8, head_at(164_000)),
    ]


def test_a_compaction_before_a_prompt_retracts_its_tag(client: Client, project: Path) -> None:
    """The client keeps the prompt, and puts the start's text after it."""
    steps = [bash(20_000), say(168_000, "The first."), say(20_000, "The second.")]
    with client.interactive(project, {MAIN: steps}, model=COMPACTED) as conversation:
        conversation.say("one")
        conversation.terminal.wait_for("The first")
        conversation.say("two")
        conversation.terminal.wait_for("The second")
    played = conversation.model
    assert len(played.of(SUMMARY)) == 1
    texts = [message.text for message in injections(played.of(MAIN)) if message.request == 2]
    assert [("<tier>EXHAUSTED" in text, RETRACTION in text) for text in texts] == [(True, False), (False, True)]


def test_a_compaction_at_rest_retracts_once(client: Client, project: Path) -> None:
    steps = [bash(150_000, SLOW), say(151_000, "The first."), say(20_000, "The second.")]
    with client.interactive(project, {MAIN: [*steps, say(20_500, "The third.")]}) as conversation:
        conversation.say("one")
        conversation.terminal.wait_for("The first")
        conversation.terminal.type("/compact")
        conversation.model.wait_for_requests(1, SUMMARY)
        conversation.terminal.wait_for("Compacted")
        conversation.say("two")
        conversation.terminal.wait_for("The second")
        conversation.say("three")
    messages = injections(conversation.model.of(MAIN))
    assert [(injection.request, injection.event) for injection in messages if RETRACTION in injection.text] == [
        (2, "SessionStart")
    ]


def test_an_alert_is_repeated_if_its_prompt_was_taken_back(client: Client, project: Path) -> None:
    """On Esc before the answer the client takes a prompt back, with all that hooks added to it."""
    is_taken_back = threading.Event()

    def hold(_: ScriptedModel) -> None:
        is_taken_back.wait(30)

    late = say(20_000, "Too late.")._replace(hold=hold)
    steps = [bash(150_000, SLOW), say(151_000, "The first."), late, say(20_000, "The second."), say(20_500, "Enough.")]
    with client.interactive(project, {MAIN: steps}) as conversation:
        terminal, model = conversation.terminal, conversation.model
        conversation.say("one")
        terminal.wait_for("The first")
        terminal.type("/compact")
        model.wait_for_requests(1, SUMMARY)
        terminal.wait_for("Compacted")
        conversation.say("two")
        terminal.wait_for(SPINNER)
        terminal.press_until("Escape", lambda screen: not re.search(SPINNER, screen), "a client at rest")
        is_taken_back.set()
        terminal.press("C-u")
        terminal.type("three")
        terminal.wait_for("The second")
        conversation.say("four")
    alerts = [injection.request for injection in injections(model.of(MAIN)) if "<compaction-alert>" in injection.text]
    assert alerts == [2, 3]


def test_fewer_tokens_with_another_model_are_not_a_compaction(client: Client, mode: str, project: Path) -> None:
    """Another model's tokenizer counts fewer tokens in the same conversation."""
    chosen = client._replace(more={"CLAUDE_CODE_DISABLE_1M_CONTEXT": "1"})
    first = chosen.headless(project, {MAIN: [bash(149_000, SLOW), say(150_000, "One.")]}, model="claude-opus-4-8")
    given = []
    for tokens in (112_000, 112_500):
        steps = [bash(tokens, SLOW), say(tokens + 100, "On.")]
        played = chosen.play(mode, project, {MAIN: steps}, "--resume", first.session_id(), model=COMPACTED)
        given += [injection.text for injection in injections(played.of(MAIN))]
    assert not [text for text in given if "<compaction-alert>" in text]


def test_a_resumed_session_is_told_the_currently_open_work(client: Client, mode: str, project: Path) -> None:
    check = "python3 -m unittest missing"
    fix = f"printf '{PASSING}' > missing.py"
    steps = [bash(100_000, check), bash(168_000, SLOW), bash(20_000, fix), bash(21_000, check), say(22_000, "Passes.")]
    summary = say(5_000, "<summary>Work on the form.</summary>")
    asked = "Add the voucher field to the checkout, and never touch the tests"
    first = client.headless(project, {MAIN: steps, SUMMARY: [summary]}, prompt=asked, model=COMPACTED)
    again = [bash(23_000, SLOW), say(24_000, "Enough.")]
    resumed = client.play(mode, project, {MAIN: again}, "--resume", first.session_id(), model=COMPACTED)
    (text,) = (
        injection.text
        for injection in injections(resumed.of(MAIN))
        if injection.event == "SessionStart" and injection.request == 0
    )
    assert asked in text
    assert "Failed" not in text
