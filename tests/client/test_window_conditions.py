"""What a session showed of a window doesn't apply under other conditions.

Each test is a person's day in one home: the same session resumed, or several in turn, with another model, another
client, or 1M windows switched off in between. Usage rises, so that no message waits for its turn.
"""

import json
import subprocess
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import pytest

from shared.gauge.wording import RETRACTION
from tests.client.client import HEADLESS, INTERACTIVE, MILLION, Client
from tests.client.clients import binary
from tests.client.home import environment
from tests.client.injected import LevelWarning, injections, warnings
from tests.client.model import MAIN, ScriptedModel
from tests.client.step import OVERLOADED, SLOW, Step, bash, say

pytestmark = pytest.mark.client

EARLIER, LATER = "2.1.197", "2.1.330"
SHORT, LONG = "claude-opus-4-5", "claude-opus-4-5[1m]"
DISABLED = {"CLAUDE_CODE_DISABLE_1M_CONTEXT": "1"}


WARNED_AT_200K = LevelWarning(1, "WARNING", 34, 131_000, 200_000)
WARNED_AT_MILLION = LevelWarning(1, "WARNING", 14, 860_000, 1_000_000)


class Turn(NamedTuple):
    """A start of the client, with a tool use at `tokens`."""

    mode: str
    model: str
    tokens: int
    window: int
    """What the client has."""


def test_a_session_resumed_under_another_model(client: Client, project: Path) -> None:
    turns = [
        Turn(INTERACTIVE, SHORT, 131_000, 200_000),
        Turn(HEADLESS, LONG, 152_000, 1_000_000),
        Turn(INTERACTIVE, SHORT, 153_000, 200_000),
        Turn(INTERACTIVE, LONG, 172_000, 1_000_000),
        Turn(HEADLESS, SHORT, 173_000, 200_000),
        Turn(INTERACTIVE, LONG, 174_000, 1_000_000),
    ]
    assert warnings_in(client, project, turns, is_resumed=True) == [
        [WARNED_AT_200K],
        [],  # this would be CRITICAL in the window of the run before
        [LevelWarning(1, "CRITICAL", 23, 153_000, 200_000)],
        [],  # EXHAUSTED
        [LevelWarning(1, "EXHAUSTED", 13, 173_000, 200_000)],
        [],
    ]


def test_million_token_windows_switched_off_and_on_again(home: Path, project: Path) -> None:
    client = Client(LATER, binary(LATER), home)
    disabled = client._replace(more=DISABLED)
    model = "claude-opus-4-8"
    assert warnings_in(disabled, project, [Turn(INTERACTIVE, model, 131_000, 200_000)]) == [[WARNED_AT_200K]]
    assert warnings_in(client, project, [Turn(HEADLESS, model, 172_000, 1_000_000)]) == [[]]
    assert warnings_in(client, project, [Turn(INTERACTIVE, model, 860_000, 1_000_000)]) == [[WARNED_AT_MILLION]]
    assert warnings_in(disabled, project, [Turn(HEADLESS, model, 131_000, 200_000)]) == [[WARNED_AT_200K]]


def test_another_version_of_the_client(home: Path, project: Path) -> None:
    earlier, later = (Client(version, binary(version), home) for version in (EARLIER, LATER))
    model = "claude-opus-5"  # which the earlier client doesn't know
    assert warnings_in(later, project, [Turn(INTERACTIVE, model, 860_000, 1_000_000)]) == [[WARNED_AT_MILLION]]
    assert warnings_in(earlier, project, [Turn(HEADLESS, model, 131_000, 200_000)]) == [[WARNED_AT_200K]]
    assert warnings_in(earlier, project, [Turn(INTERACTIVE, model, 131_000, 200_000)]) == [[WARNED_AT_200K]]
    assert warnings_in(later, project, [Turn(HEADLESS, model, 172_000, 1_000_000)]) == [[]]


@pytest.mark.parametrize(
    ("first", "then", "warned"),
    [(SHORT, LONG, []), (SHORT, "opus[1m]", []), (LONG, SHORT, [LevelWarning(2, "CRITICAL", 24, 152_000, 200_000)])],
)
def test_a_model_switched_to_by_the_agent_sdk(
    client: Client, project: Path, first: str, then: str, warned: list[LevelWarning]
) -> None:
    client = client._replace(more={"ANTHROPIC_DEFAULT_OPUS_MODEL": SHORT})
    project.mkdir()
    with ScriptedModel({MAIN: [say(100_000, "First."), bash(152_000, SLOW), say(153_000, "Second.")]}) as played:
        command = client.command(first, "-p", "--input-format", "stream-json", "--output-format", "stream-json")
        with subprocess.Popen(
            [*command, "--verbose"],
            cwd=project,
            env=environment(client.home, played.url, client.more),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as process:
            late = threading.Timer(90, process.kill)
            late.start()
            assert process.stdin
            assert process.stdout
            prompt = {"type": "user", "message": {"role": "user", "content": "go"}}
            switch = {"type": "control_request", "request_id": "1", "request": {"subtype": "set_model", "model": then}}
            for sent, answered in ((prompt, "result"), (switch, "control_response"), (prompt, "result")):
                process.stdin.write(json.dumps(sent) + "\n")
                process.stdin.flush()
                assert any(f'"type":"{answered}"' in line for line in process.stdout)
            process.stdin.close()
            late.cancel()
    assert warnings(played.of(MAIN)) == warned


def warnings_in(
    client: Client, project: Path, turns: Iterable[Turn], *, is_resumed: bool = False
) -> list[list[LevelWarning]]:
    """The agent's messages in each of `turns`, in order."""
    warned, session = [], ""
    for turn in turns:
        resume = ["--resume", session] if session else []
        scripts = {MAIN: [bash(turn.tokens, SLOW), say(turn.tokens + 100, "For now.")]}
        if turn.mode == HEADLESS:
            played, windows = client.run_headless(project, scripts, *resume, model=turn.model)
            assert windows[turn.model] == turn.window
        else:
            played = client.play(turn.mode, project, scripts, *resume, model=turn.model)
        warned.append(warnings(played.of(MAIN)))
        session = played.session_id() if is_resumed else ""
    return warned


def test_a_fallback_model_counts_for_its_turn_and_the_chosen_one_for_the_next_prompt(
    client: Client, project: Path
) -> None:
    """The fallback has a window of 200,000; the client asks the chosen model, with a million, for each prompt first."""
    overloaded = [Step(1, error=OVERLOADED)] * 4
    steps = [bash(120_000, SLOW), *overloaded, bash(131_000, SLOW), bash(152_000, SLOW), say(153_000, "First over.")]
    with client.interactive(
        project, {MAIN: [*steps, say(154_000, "Second over.")]}, "--fallback-model", "claude-haiku-4-5", model=MILLION
    ) as conversation:
        conversation.say("Paint the fence")
        conversation.terminal.wait_for("First over", 60)
        conversation.terminal.wait_for("153k/1M")
        conversation.say("and the gate")
        conversation.terminal.wait_for("Second over")
    requests = conversation.model.of(MAIN)

    assert "CRITICAL" in [warning.level for warning in warnings(requests)]
    at_prompt = [
        text for request, event, text in injections(requests) if request == len(steps) and event == "UserPromptSubmit"
    ]
    assert not any("CRITICAL" in text for text in at_prompt), at_prompt
    assert any(RETRACTION in text for text in at_prompt)
