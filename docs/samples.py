"""What the agent is told, from the very function that says it."""

from monitor.warnings import messages
from shared.config import Messages
from shared.levels import Level
from shared.reading import Reading

SAMPLED_AT = 1_795_274_430
"""Epoch seconds; any fixed time does."""


def warning() -> str:
    """A WARNING for the main session, with a forecast and an expected compaction."""
    reading = Reading(29, 142_000, 200_000, "bridge", "bridge", SAMPLED_AT)
    text = messages.context_warning(
        Level.WARNING, reading, Messages(), tool_uses_left=19, compaction_at=167_000, is_subagent=False
    )
    return _block(text)


def subagent_warning() -> str:
    """A CRITICAL for a subagent."""
    reading = Reading(24, 152_000, 200_000, "transcript", "default", SAMPLED_AT)
    return _block(messages.context_warning(Level.CRITICAL, reading, Messages(), is_subagent=True))


def _block(text: str) -> str:
    return f"```text\n{messages.framed(text)}\n```\n"
