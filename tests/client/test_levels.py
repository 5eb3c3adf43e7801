"""Each level reaches the agent with the very result that follows the crossing, and comes again in time."""

import json
from pathlib import Path

import pytest

from tests.client.client import Client
from tests.client.injected import expected_in, heads, injected
from tests.client.model import MAIN
from tests.client.step import SLOW, Step, bash, batch, read, say

pytestmark = pytest.mark.client

# 129,000 of 200,000 tokens are 64.5 % used: halves are rounded up, so 35 % remain. One token less is NORMAL.
RISING = [
    bash(110_000),
    bash(128_999),
    bash(129_000),  # WARNING: its tool uses 1 …
    *[bash(130_000 + step) for step in range(10)],  # … to 11
    bash(149_000, SLOW),  # CRITICAL: 1 …; a leap is no usual turn, so nothing waits until it is written
    *[bash(150_000 + step) for step in range(4)],  # … to 5
    bash(169_000, SLOW),  # EXHAUSTED
    bash(170_000),
    bash(180_000),
    say(180_100, "Enough."),
]
# (the request that follows the crossing, what it says)
MESSAGES = [
    (3, "WARNING 35%"),
    (8, "WARNING 35%"),
    (13, "WARNING 35%"),
    (14, "CRITICAL 25%"),
    (16, "CRITICAL 25%"),
    (18, "CRITICAL 25%"),
    (19, "EXHAUSTED 15%"),
    (20, "EXHAUSTED 15%"),
    (21, "EXHAUSTED 10%"),
]


def test_every_level_arrives_with_the_result_that_follows_the_crossing(
    client: Client, mode: str, project: Path
) -> None:
    played = client.play(mode, project, {MAIN: RISING})
    assert heads(played.of(MAIN)) == expected_in(MESSAGES, client, mode)


def test_a_leap_into_a_level_is_told_at_once(client: Client, mode: str, project: Path) -> None:
    steps = [bash(100_000), bash(131_000), say(131_100, "Enough.")]
    played = client.play(mode, project, {MAIN: steps})
    assert heads(played.of(MAIN)) == [(2, "WARNING 34%")]


def test_slow_tools_are_told_from_what_the_status_line_saw(client: Client, mode: str, project: Path) -> None:
    # the status line has drawn each answer's numbers before its tool is done
    steps = [bash(tokens, "sleep 0.7") for tokens in (120_000, 131_000, 151_000)]
    played = client.play(mode, project, {MAIN: [*steps, say(151_100, "Enough.")]})
    assert heads(played.of(MAIN)) == [
        (2, "WARNING 34%"),
        (3, "CRITICAL 24%"),
    ]


def test_parallel_calls_get_one_message(client: Client, mode: str, project: Path) -> None:
    four = ("true", "true", "true", "true")
    # the batch is WARNING's tool uses 1 to 4: the next message is due at the 6th
    steps = [bash(120_000), batch(140_000, *four), bash(140_100), bash(140_200), say(140_300, "Enough.")]
    played = client.play(mode, project, {MAIN: steps})
    warning = "WARNING 30%"
    assert heads(played.of(MAIN)) == expected_in([(2, warning), (4, warning)], client, mode)


def test_failing_tools_are_told_and_counted(client: Client, mode: str, project: Path) -> None:
    missing = str(project / "missing")
    fails: list[Step] = [bash(140_100 + step, "exit 3") for step in range(3)]
    steps = [bash(120_000), bash(140_000, "exit 3"), read(140_050, missing), *fails, read(140_200, missing)]
    played = client.play(mode, project, {MAIN: [*steps, say(140_300, "Enough.")]})
    warning = "WARNING 30%"
    assert heads(played.of(MAIN)) == expected_in([(2, warning), (7, warning)], client, mode)
    assert {injection.event for injection in injected(played.of(MAIN))} - {"UserPromptSubmit"} == {"PostToolUseFailure"}


def test_a_session_with_room_is_left_alone(client: Client, mode: str, project: Path) -> None:
    steps = [bash(20_000), bash(90_000, "exit 3"), batch(100_000, "true", "true"), say(120_000, "Enough.")]
    played = client.play(mode, project, {MAIN: steps})
    document = json.dumps([request.body for request in played.requests])
    assert [word for word in ("CONTEXT", "tidegauge") if word in document] == []
    assert {injection.event for injection in injected(played.of(MAIN))} <= {"UserPromptSubmit"}
