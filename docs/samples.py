"""What the agent is told, from the very function that says it."""

from monitor.warnings import messages
from shared.config import Messages
from shared.levels import Level
from shared.limit import Limit
from shared.reading import Reading
from shared.verdict import Verdict

SAMPLED_AT = 1_795_274_430
"""Epoch seconds; any fixed time does."""
_LIMIT = Limit(167_000, "catalogue", is_compacted=True)


def warning() -> str:
    """A WARNING for the main session, with a forecast and the point at which the client compacts."""
    reading = Reading(29, 142_000, 200_000, "bridge", "bridge", SAMPLED_AT)
    return _block(Verdict(reading, Level.WARNING, _LIMIT, tool_uses_left=8))


def subagent_warning() -> str:
    """A CRITICAL for a subagent."""
    reading = Reading(24, 152_000, 200_000, "transcript", "api-request", SAMPLED_AT)
    return _block(Verdict(reading, Level.CRITICAL, _LIMIT, is_subagent=True))


def _block(verdict: Verdict) -> str:
    return f"```text\n{messages.framed(messages.context_warning(verdict, Messages()))}\n```\n"
