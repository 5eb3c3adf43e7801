"""What a session's last prompt saw, so that the next one knows what has happened in between.

A client runs the hooks of one session's prompts, compactions and starts one after the other, so this file
needs no lock.
"""

import msgspec

from monitor.tier import Tier
from shared import files, paths


class PromptMemory(msgspec.Struct, frozen=True):
    """Of one session."""

    size: int = 0
    """Bytes of the transcript."""
    tokens: int | None = None
    """Tokens in the window."""
    saved: Tier = Tier.NOMINAL
    """The highest tier at which a prompt has had a checkpoint written since the window was last roomy."""
    is_compacted: bool = False
    """Whether the window was compacted since."""
    told_at: float = 0.0
    """Epoch seconds at which an alert was last given: what was compacted before is told, whenever it is written."""
    offered: str = ""
    """Another session's checkpoint, which this one was told of at its start and before its first prompt."""


def read(root: str, session_id: str) -> PromptMemory | None:
    """The memory of a session; None before its first event, or when it is damaged."""
    document = files.read_or_none(paths.prompt_memory(root, session_id))
    try:
        return None if document is None else msgspec.json.decode(document, type=PromptMemory)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None


def write(root: str, session_id: str, memory: PromptMemory) -> None:
    """Replace the memory. Raises OSError."""
    files.write_atomic(paths.prompt_memory(root, session_id), msgspec.json.encode(memory))
