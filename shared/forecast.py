"""How long the window will last, in tool uses, from the growth of the recent turns."""

from collections.abc import Sequence
from itertools import pairwise

from shared.transcript import Answer

FEWEST = 4
"""Steps of growth below which nothing is foretold."""
BYTES_PER_TOKEN = 4
"""Of a tool result that is not in the window yet (client-facts.md, part 1)."""


def growth_per_tool_use(answers: Sequence[Answer]) -> float | None:
    """Tokens by which one tool use fills the window: the median of the recent turns' steps.

    A median, so that one huge result doesn't count. `answers` are newest first. None with too few steps.
    """
    steps = sorted(
        (newer.usage.tokens - older.usage.tokens) / max(1, older.tool_uses)
        for newer, older in pairwise(answers)
        if newer.usage.tokens > older.usage.tokens
    )
    if len(steps) < FEWEST:
        return None
    middle = len(steps) // 2
    return steps[middle] if len(steps) % 2 else (steps[middle - 1] + steps[middle]) / 2


def tool_uses_left(room: int, growth: float) -> int:
    """Tool uses of `growth` tokens each that fit into `room` tokens."""
    return max(0, int(room / growth))
