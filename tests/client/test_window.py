"""A window of a million tokens is not taken for one of 200,000."""

from pathlib import Path

import pytest

from tests.client.client import HEADLESS, MILLION, Client
from tests.client.injected import heads
from tests.client.model import MAIN
from tests.client.step import bash, say

pytestmark = pytest.mark.client

STEPS = [
    bash(150_000),
    bash(199_000),
    bash(260_000),
    bash(630_000),
    bash(644_999),
    bash(645_000),  # 64.5 % used: 35 % remain
    say(645_100, "Enough."),
]
TOLD = [(6, "CONTEXT WINDOW WARNING — 35% remaining.")]


def test_a_million_token_session_is_warned_by_its_own_size(client: Client, mode: str, project: Path) -> None:
    if mode == HEADLESS and client.version == "2.1.197":
        # this client's headless sessions say nowhere how large the window is, but the person can
        client = client._replace(more={"ANTHROPIC_MODEL": MILLION})
    played = client.play(mode, project, {MAIN: STEPS}, model=MILLION)
    assert heads(played.of(MAIN)) == TOLD
