"""Each level reaches the agent with the first result after the crossing, and is repeated in time."""

import json
from pathlib import Path

import pytest

from tests.client.client import Client
from tests.client.injected import heads, injections, warnings
from tests.client.model import MAIN
from tests.client.step import SLOW, Call, Step, bash, batch, read, say
from tests.levels import FIRST_TOKENS, head_at

pytestmark = pytest.mark.client

RISING = [
    bash(FIRST_TOKENS - 19_000),
    bash(FIRST_TOKENS - 1),
    bash(FIRST_TOKENS),  # the first level: its tool uses 1 …
    *[bash(FIRST_TOKENS + 1_000 + step) for step in range(10)],  # … to 11
    bash(149_000, SLOW),  # CRITICAL: 1 …; a leap is no usual turn, so nothing waits until it is written
    *[bash(150_000 + step) for step in range(4)],  # … to 5
    bash(169_000, SLOW),  # EXHAUSTED
    bash(170_000),
    bash(180_000),
    say(180_100, "Enough."),
]
# (the request that follows the crossing, what it says)
MESSAGES = [
    (3, head_at(FIRST_TOKENS)),
    (8, head_at(FIRST_TOKENS + 1_004)),
    (13, head_at(FIRST_TOKENS + 1_009)),
    (14, "CRITICAL 25%"),
    (16, "CRITICAL 25%"),
    (18, "CRITICAL 25%"),
    (19, "EXHAUSTED 15%"),
    (20, "EXHAUSTED 15%"),
    (21, "EXHAUSTED 10%"),
]


def test_every_level_arrives_with_the_result_after_the_crossing(client: Client, mode: str, project: Path) -> None:
    played = client.play(mode, project, {MAIN: RISING})
    assert heads(played.of(MAIN)) == MESSAGES


def test_a_jump_into_a_level_is_reported_at_once(client: Client, mode: str, project: Path) -> None:
    steps = [bash(FIRST_TOKENS - 29_000), bash(FIRST_TOKENS + 2_000), say(FIRST_TOKENS + 2_100, "Enough.")]
    played = client.play(mode, project, {MAIN: steps})
    assert heads(played.of(MAIN)) == [(2, head_at(FIRST_TOKENS + 2_000))]


def test_slow_tools_are_measured_by_the_status_line(client: Client, mode: str, project: Path) -> None:
    # the status line draws each answer's numbers before its tool is done
    steps = [bash(tokens, "sleep 0.7") for tokens in (FIRST_TOKENS - 9_000, FIRST_TOKENS + 2_000, 151_000)]
    played = client.play(mode, project, {MAIN: [*steps, say(151_100, "Enough.")]})
    assert heads(played.of(MAIN)) == [
        (2, head_at(FIRST_TOKENS + 2_000)),
        (3, head_at(151_000)),
    ]


def test_parallel_calls_get_one_message(client: Client, mode: str, project: Path) -> None:
    four = ("true", "true", "true", "true")
    level = FIRST_TOKENS + 2_000
    steps = [bash(FIRST_TOKENS - 9_000), batch(level, *four), *[bash(level + 100 * step) for step in (1, 2, 3)]]
    played = client.play(mode, project, {MAIN: [*steps, say(level + 400, "Enough.")]})
    first, second = heads(played.of(MAIN))
    message = head_at(level)
    assert first == (2, message)
    # The next message is due at the level's 6th tool use. The batch is uses 1 to 4, or 2 to 4 where the client wrote
    # its answer so late that the first one didn't wait for it.
    assert second in {(4, message), (5, message)}


def test_failing_tools_get_messages_and_are_counted(client: Client, mode: str, project: Path) -> None:
    missing, level = str(project / "missing"), FIRST_TOKENS + 2_000
    steps: list[Step] = [bash(FIRST_TOKENS - 9_000), bash(level, "exit 3"), read(level + 50, missing)]
    steps += [*[bash(level + 100 + step, "exit 3") for step in range(3)], read(level + 200, missing)]
    played = client.play(mode, project, {MAIN: [*steps, say(level + 300, "Enough.")]})
    message = head_at(level)
    assert heads(played.of(MAIN)) == [(2, message), (7, message)]
    assert {injection.event for injection in injections(played.of(MAIN))} - {"UserPromptSubmit"} == {
        "PostToolUseFailure"
    }


def test_a_session_with_room_is_left_alone(client: Client, mode: str, project: Path) -> None:
    below = FIRST_TOKENS - 10_000
    steps = [bash(20_000), bash(below - 30_000, "exit 3"), batch(below - 20_000, "true", "true"), say(below, "Enough.")]
    played = client.play(mode, project, {MAIN: steps})
    document = json.dumps([request.body for request in played.requests])
    assert [word for word in ("CONTEXT", "tidegauge") if word in document] == []
    assert {injection.event for injection in injections(played.of(MAIN))} <= {"UserPromptSubmit"}


def test_a_message_during_plan_mode_is_repeated_after_the_plan(client: Client, project: Path) -> None:
    """In plan mode the agent may not write the file that the message names."""
    project.mkdir()
    notes = project / "notes.txt"
    notes.write_text("of today")
    enter, leave = (Call("EnterPlanMode", {}), Call("ExitPlanMode", {"plan": "1. Paint the boat red"}))
    steps = [
        bash(60_000, SLOW),
        Step(120_000, calls=(enter,)),
        read(131_000, str(notes)),
        Step(131_500, calls=(leave,)),
    ]
    steps += [bash(131_600 + number, SLOW) for number in range(6)]
    with client.interactive(project, {MAIN: [*steps, say(133_000, "Planned.")]}) as conversation:
        conversation.say("plan it")
        while "Planned." not in conversation.terminal.wait(
            lambda text: "1. Yes" in text or "Planned." in text, "a plan"
        ):
            conversation.terminal.press_until("Enter", lambda text: "1. Yes" not in text, "the dialog closed")
    tokens = [message.tokens for message in warnings(conversation.model.of(MAIN))]
    assert len(tokens) > 1
