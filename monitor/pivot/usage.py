"""How much of a session's window is in use, and who says so."""

import msgspec

from monitor.pivot.level import percent_of
from monitor.session import Session
from shared import window
from shared.reading import Reading

TOKENS_PER_CALL = 500
"""What a tool call is taken for where nothing was measured."""


class Usage(msgspec.Struct, frozen=True):
    """How much of the window is in use."""

    percent: float
    """0 to 100."""
    tokens: int
    window: int
    """Tokens; the standard size where it is not known."""
    source: str
    """`bridge`, `transcript` or `tool_calls`."""
    tool_calls: int
    """Of the whole session, as far as they were seen."""
    sampled_at: float
    """Epoch seconds."""


def usage_of(reading: Reading | None, session: Session, tool_calls: int) -> Usage:
    """What `reading` says; without one, a guess from the number of tool calls."""
    size = (reading.window if reading else None) or session.config.window.size or window.STANDARD
    if reading is None:
        tokens = TOKENS_PER_CALL * tool_calls
        return Usage(min(100.0, 100 * tokens / size), tokens, size, "tool_calls", tool_calls, session.now)
    percent = percent_of(reading)
    tokens = reading.tokens if reading.tokens is not None else round(percent * size / 100)
    return Usage(percent, tokens, size, reading.source, tool_calls, reading.sampled_at)
