"""What a speaker is: a function from one snapshot and the conversation's memory to a message, or to silence."""

from collections.abc import Callable

import msgspec

from monitor.measuring.snapshot import Snapshot
from monitor.memory.memory import Memory


class Message(msgspec.Struct, frozen=True):
    context: str = ""
    """For the agent."""
    terminal: str = ""
    """A sequence for the person's terminal."""
    is_warning: bool = False
    """Whether it is the level's message, which has a frame."""


Speaker = Callable[[Snapshot, Memory], Message | None]
"""A function of a file in monitor/speakers/, which says what is due and notes it in the memory. None is silence."""
