"""How the window will fill, from the growth of the recent turns: tool uses left, and the most that one turn may add."""

from collections.abc import Sequence
from itertools import pairwise

from shared.transcript import Answer

FEWEST_STEPS = 4
"""Steps of growth below which there is no forecast."""
FEWEST_TURNS = 3
"""Turns that must have been seen before anything is said of the next one."""
BYTES_PER_TOKEN = 4
"""Of a tool result that is not in the window yet (client-facts.md, part 1)."""
IMAGE_TOKENS = 1_600
"""The most that an image takes, however many bytes it is written in."""
TURN_TOKENS = 25_000
"""The largest result that the client lets a tool return into the window."""
TURN_FACTOR = 2
"""A turn may be this many times as large as the largest of the recent ones."""


def growth_per_tool_use(answers: Sequence[Answer]) -> float | None:
    """Tokens by which one tool use fills the window: the median of the recent turns' steps.

    A median, so that one huge result doesn't count. `answers` are newest first. None with too few steps.
    """
    steps = sorted(
        (newer.usage.tokens - older.usage.tokens) / max(1, older.tool_uses)
        for newer, older in pairwise(answers)
        if newer.usage.tokens > older.usage.tokens
    )
    if len(steps) < FEWEST_STEPS:
        return None
    middle = len(steps) // 2
    return steps[middle] if len(steps) % 2 else (steps[middle - 1] + steps[middle]) / 2


def pending_tokens(answers: Sequence[Answer], result_bytes: int = 0) -> int:
    """Tokens on their way into the window: what the newest answer said, and the tool result in hand."""
    output = answers[0].usage.output if answers else 0
    return output + result_bytes // BYTES_PER_TOKEN


def tool_uses_left(room: int, growth: float) -> int:
    """Tool uses of `growth` tokens each that fit into `room` tokens."""
    return max(0, int(room / growth))


def largest_turn(answers: Sequence[Answer]) -> int | None:
    """Tokens that the turn after `answers`, newest first, may add; None while too few turns have been seen.

    A session that has just begun, or been compacted, may leap to anywhere: it loads what it works on.
    """
    if len(answers) <= FEWEST_TURNS:
        return None
    largest = max(newer.usage.tokens - older.usage.tokens for newer, older in pairwise(answers))
    return max(TURN_TOKENS, TURN_FACTOR * largest)
