"""What a speaker is: a function from one snapshot and the conversation's memory to a message, or to silence."""

from typing import Protocol

import msgspec

from monitor.measuring.snapshot import Snapshot
from monitor.memory.memory import Memory


class Message(msgspec.Struct, frozen=True):
    """What one speaker says at a tool use."""

    context: str = ""
    """For the agent."""
    terminal: str = ""
    """A sequence for the person's terminal."""
    is_warning: bool = False
    """Whether it is the level's message, which stands in a frame."""


class Speaker(Protocol):
    """A function of a file in monitor/speakers/. It notes its message in the memory."""

    def __call__(self, snapshot: Snapshot, memory: Memory, /) -> Message | None:
        """Say what is due; None is silence."""
        ...
