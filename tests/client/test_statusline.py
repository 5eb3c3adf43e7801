"""The status line on screen: it fits at any width, also with another status line inside."""

import json
import re
from itertools import takewhile
from pathlib import Path

import pytest

from tests.client.client import Client, Conversation
from tests.client.home import FOREIGN_LINE, FOREIGN_STDIN
from tests.client.injected import heads
from tests.client.model import MAIN
from tests.client.step import bash, say

pytestmark = [pytest.mark.client, pytest.mark.any_client]

STEPS = [bash(130_000), say(130_000, "Enough.")]
CLIENTS_OWN = re.compile(r"\s+● .*")  # 2.1.197 puts the effort to the right of our first row


def rows(screen: str) -> list[str]:
    """The rows of the status line, between the prompt's lower rule and the bottom line."""
    below = screen[screen.rindex("───") + 3 :].splitlines()[1:]
    status = takewhile(lambda row: "bypass permissions" not in row, below)
    return [text for row in status if (text := CLIENTS_OWN.sub("", row).strip())]


def wait_for_line(conversation: Conversation, words: str) -> list[str]:
    return rows(conversation.terminal.wait(lambda screen: words in " ".join(rows(screen)), f"{words} in the line"))


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_the_line_shows_and_fits(client: Client, project: Path, columns: int) -> None:
    with client.interactive(project, {MAIN: STEPS}, columns=columns) as conversation:
        conversation.say("go")
        line = wait_for_line(conversation, "65%")
    assert len(line) == 1
    assert "WARNING" in line[0]
    # the client indents by two, leaves two, and cuts what is longer with an ellipsis of its own
    assert len(line[0]) <= columns - 4
    assert not line[0].endswith("…")


def test_no_figures_are_shown_before_the_first_answer(client: Client, project: Path) -> None:
    with client.interactive(project, {MAIN: STEPS}) as conversation:
        line = wait_for_line(conversation, "Opus")
    assert re.findall(r"\d+ ?%", " ".join(line)) == []


def test_line_bridge_and_message_agree_on_one_number(client: Client, project: Path) -> None:
    with client.interactive(project, {MAIN: STEPS}) as conversation:
        conversation.say("go")
        conversation.model.wait_for_end()
        wait_for_line(conversation, "65%")
    session_id = conversation.model.session_id()
    bridge = json.loads((client.program / "run" / f"claude-ctx-{session_id}.json").read_text())
    assert (bridge["session_id"], bridge["used_pct"], bridge["remaining_percentage"]) == (session_id, 65, 35)
    assert heads(conversation.model.of(MAIN)) == [(1, "WARNING 35%")]


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_a_wrapped_line_is_shown_unchanged(client: Client, foreign_home: Path, project: Path, columns: int) -> None:
    client = client._replace(home=foreign_home)
    with client.interactive(project, {MAIN: STEPS}, columns=columns) as conversation:
        conversation.say("go")
        conversation.model.wait_for_end()
        line = wait_for_line(conversation, FOREIGN_LINE)
        bridge = client.program / "run" / f"claude-ctx-{conversation.model.session_id()}.json"
        conversation.terminal.wait(lambda _: bridge.exists(), "the bridge")
    assert line == [f"{FOREIGN_LINE} {columns}"]
    document = json.loads((foreign_home / FOREIGN_STDIN).read_text())
    assert document["session_id"] == conversation.model.session_id()
    assert heads(conversation.model.of(MAIN)) == [(1, "WARNING 35%")]
