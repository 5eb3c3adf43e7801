"""How many tokens one more turn may add to a window: what is waited for, and what a gate keeps clear of."""

from collections.abc import Sequence
from itertools import pairwise

from shared.transcript import Answer

TURN_TOKENS = 25_000
"""The largest result that the client lets a tool return into the window."""
LEAPS = 2
"""A turn may be this many times as large as the largest of the recent ones."""
FEWEST = 3
"""Turns that have to be seen before anything is said of the next."""


def reach_of(answers: Sequence[Answer]) -> int | None:
    """Tokens that the turn after `answers`, newest first, may add; None while too few turns have been seen.

    A session that has just begun, or been compacted, may leap to anywhere: it loads what it works on.
    """
    if len(answers) <= FEWEST:
        return None
    largest = max(newer.usage.tokens - older.usage.tokens for newer, older in pairwise(answers))
    return max(TURN_TOKENS, LEAPS * largest)
