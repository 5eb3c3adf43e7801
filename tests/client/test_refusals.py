"""A refused write of the summary file ends the repeated messages: asking again would change nothing."""

import json
from pathlib import Path

import pytest

from tests.client.client import Client
from tests.client.injected import heads
from tests.client.model import MAIN
from tests.client.step import Call, Step, bash, say
from tests.levels import FIRST_TOKENS, head_at

pytestmark = [pytest.mark.client, pytest.mark.any_client]

SUMMARY_FILE = "PROJECT-SUMMARY.md"


def settings(kind: str) -> tuple[str, str]:
    return "--settings", json.dumps({"permissions": {kind: [f"Edit({SUMMARY_FILE})"]}})


REFUSALS = {
    "not granted": ("--permission-mode", "default", "--allowedTools", "Bash"),
    "denied by a rule": settings("deny"),
    "plan mode": ("--permission-mode", "plan", "--allowedTools", "Bash"),
}


def write(project: Path) -> Step:
    return Step(
        FIRST_TOKENS + 2_000, calls=(Call("Write", {"file_path": str(project / SUMMARY_FILE), "content": "# State\n"}),)
    )


def refused_steps(project: Path) -> list[Step]:
    """Steps to the first level, the write that it asks for, and more tool uses than lie between two messages."""
    after = [bash(FIRST_TOKENS + 2_100 + step) for step in range(8)]
    rising = [bash(FIRST_TOKENS - 20_000), bash(FIRST_TOKENS + 1_000)]
    return [*rising, write(project), *after, say(FIRST_TOKENS + 3_000, "Enough.")]


@pytest.mark.parametrize("refusal", REFUSALS)
def test_a_write_refused_by_the_client_ends_the_repetition(client: Client, project: Path, refusal: str) -> None:
    steps = refused_steps(project)
    played = client.headless(project, {MAIN: steps}, *REFUSALS[refusal])
    assert heads(played.of(MAIN)) == [(2, head_at(FIRST_TOKENS + 1_000))]
    assert not (project / SUMMARY_FILE).exists()


def test_a_write_rejected_by_the_person_ends_the_repetition(client: Client, project: Path) -> None:
    steps = refused_steps(project)
    with client.interactive(project, {MAIN: steps}, *settings("ask")) as conversation:
        conversation.say("go")
        conversation.terminal.wait_for(f"create {SUMMARY_FILE}")
        conversation.terminal.press("Escape")
        conversation.terminal.wait_for("bypass permissions on")
        conversation.say("go on")
        conversation.terminal.wait_for("Enough")
    assert heads(conversation.model.of(MAIN)) == [(2, head_at(FIRST_TOKENS + 1_000))]
    assert not (project / SUMMARY_FILE).exists()
