"""A reading: how full a context window is, where each number came from, and when it was sampled."""

from typing import Annotated

import msgspec

LARGEST_COUNT = 10**12
Count = Annotated[int, msgspec.Meta(ge=0, le=LARGEST_COUNT)]
"""Of tokens, bytes and the like, where it is decoded: no float holds 400 digits, and no file is sought by 20."""


class Usage(msgspec.Struct, frozen=True):
    """Tokens of one answer, as the API reports them. The window holds all but the output."""

    input: Count
    cache_creation: Count
    cache_read: Count
    output: Count = 0

    @property
    def tokens(self) -> int:
        """Tokens that the request held in the context window."""
        return self.input + self.cache_creation + self.cache_read


class Reading(msgspec.Struct, frozen=True):
    """One measurement. The person and the agent see the same one."""

    remaining: float | None
    """Percent of the window that is left, 0 to 100; the client's own figure where it gave one. None where the size is
    unknown: then there is no percentage."""
    tokens: int | None
    """Tokens in the window; None when only a percentage is known."""
    window: int | None
    """Size of the window in tokens; None when it is unknown, or only a percentage is known."""
    source: str
    """Where the tokens came from: statusline, bridge or transcript."""
    window_source: str
    """Where the size came from: see shared.window."""
    sampled_at: float
    """Epoch seconds at which these numbers were first seen."""

    @property
    def used(self) -> int | None:
        """Percent of the window in use, rounded halves up; None for a window of unknown size."""
        return None if self.remaining is None else round_half_up(100 - self.remaining)


def round_half_up(value: float) -> int:
    return int(value + 0.5)


def remaining_percentage(tokens: int, window: int) -> int:
    """The client's own integer: 100 less the used percentage, which is rounded halves up, within 0 to 100."""
    used = (200 * tokens + window) // (2 * window)
    return 100 - max(0, min(100, used))


def percent_text(percentage: float) -> str:
    """`28` or `28.5`: a percentage without digits that say nothing."""
    return f"{percentage:.4g}"
