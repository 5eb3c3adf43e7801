"""What a strategy is: a way to go on when the window nears its end, carried out as far as can be without a model."""

from typing import Protocol

import msgspec

from monitor.session import Conversation, Project, Session
from shared.plain import path_end
from shared.reading import Reading

_LONGEST = 1_000


class Context(msgspec.Struct, frozen=True):
    """For whom a strategy is carried out."""

    conversation: Conversation
    session: Session
    project: Project
    reading: Reading | None = None
    """None when nothing is known of the window."""
    is_asked: bool = True
    """Whether a person or an agent has asked for it; a hook, which nobody asked, leaves the clipboard alone."""
    most_bytes: int | None = None
    """Of a transcript that is exported at once; a longer one goes on in a process of its own. None: no limit."""


class File(msgspec.Struct, frozen=True):
    """What was written."""

    path: str
    holds: str
    """In a few words of ours."""

    @property
    def line(self) -> str:
        """The whole path, which is what a person pastes."""
        return f"- {self.holds}: {path_end(self.path, _LONGEST)}"


class Outcome(msgspec.Struct, frozen=True):
    """What a strategy has done."""

    strategy: str
    files: tuple[File, ...]
    text: str
    """For the person and the agent: what there is now, and what to do with it. What is from outside is made safe."""


class StrategyModule(Protocol):
    """A file in monitor/pivot/strategies/."""

    SUMMARY: str
    """One line for whoever chooses."""

    @staticmethod
    def carry_out(context: Context) -> Outcome:
        """Do it. Raises OSError when a file cannot be written, OutsideProjectError when it would lie elsewhere."""
        ...
