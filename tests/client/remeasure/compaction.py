"""The client's automatic compaction points, found by filling its window in ever smaller steps."""

import json
from collections.abc import Mapping
from typing import NamedTuple

from tests.client.client import Client
from tests.client.model import MAIN, SUMMARY, ScriptedModel
from tests.client.remeasure.home import measured_home
from tests.client.remeasure.windows import DISABLED, FIRST_PARTY
from tests.client.step import Step, bash, say

STEPS = 12
"""Answers of one session."""
GRID = 600
"""Tokens between two answers of the last session. What the client adds for the answer itself is about 100."""


class CompactionCase(NamedTuple):
    """A model and the settings that affect its compaction."""

    model: str
    more: Mapping[str, str] = {}

    @property
    def name(self) -> str:
        return " ".join([self.model, *(f"{variable}={value}" for variable, value in self.more.items())])


CASES = (
    CompactionCase("claude-opus-4-5"),
    CompactionCase("claude-opus-4-6"),
    CompactionCase("claude-opus-4-6[1m]"),
    CompactionCase("claude-sonnet-4-6"),
    CompactionCase("claude-opus-4-8", FIRST_PARTY),
    CompactionCase("claude-opus-4-8", DISABLED),
    CompactionCase("claude-sonnet-5"),
    CompactionCase("claude-sonnet-5", FIRST_PARTY),
    CompactionCase("claude-opus-5"),
    CompactionCase("claude-haiku-5-5"),
    CompactionCase("my-deployment"),
    CompactionCase("my-deployment[1m]"),
    CompactionCase("my-deployment", {"CLAUDE_CODE_MAX_CONTEXT_TOKENS": "128000"}),
    CompactionCase("claude-opus-4-5", {"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "150000"}),
    CompactionCase("claude-opus-4-6", {"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "50000"}),
    CompactionCase("claude-opus-4-6", {"CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": "60"}),
)


class FillingModel(ScriptedModel):
    """A scripted model that ends its conversation with the first compaction."""

    def _next_step(self, conversation: str) -> Step:
        if conversation == MAIN and self.of(SUMMARY):
            return say(1_000, "Enough.")
        return super()._next_step(conversation)


class Filling(NamedTuple):
    """One session: the window's size, and the newest answer's tokens before the compaction (None: there was none)."""

    window: int
    answer: int | None


def points(client: Client) -> dict[str, dict[str, int | None]]:
    """Each case's window and the tokens at which the client compacts, to the nearest thousand.

    None means that it doesn't compact before the window is full.
    """
    with measured_home(client, {}) as home:
        return {case.name: point(home.client, case) for case in CASES}


def point(client: Client, case: CompactionCase) -> dict[str, int | None]:
    low = 30_000
    window = fill(client, case, [low]).window
    high = window - 1_000
    while high - low > GRID:
        width = -(-(high - low) // STEPS)
        answers = [*range(low + width, high, width), high]
        newest = fill(client, case, answers).answer
        if newest is None:
            return {"window": window, "compacts at": None}
        low, high = answers[answers.index(newest) - 1] if newest != answers[0] else low, newest
    return {"window": window, "compacts at": round(high, -3)}


def fill(client: Client, case: CompactionCase, answers: list[int]) -> Filling:
    """Play a session whose answers report ever more tokens."""
    steps = [*map(bash, answers), say(answers[-1], "Enough.")]
    with FillingModel({MAIN: steps}) as model:
        result = client._replace(more=case.more).prompt(client.home.parent / "project", model, model=case.model)
    usage = json.loads(result.stdout)["modelUsage"]
    order = [request.conversation for request in model.requests if request.conversation in {MAIN, SUMMARY}]
    before = order[: order.index(SUMMARY)] if SUMMARY in order else []
    return Filling(next(iter(usage.values()))["contextWindow"], answers[len(before) - 1] if before else None)
