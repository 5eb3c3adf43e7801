"""What a strategy is: a way to continue near the end of the window, without a model as far as possible."""

import os

import msgspec

from monitor.exporting.folder import added
from monitor.session import Conversation, Project, Session
from shared.gauge.verdict import Verdict
from shared.text.plain import path_end


class File(msgspec.Struct, frozen=True):
    path: str
    holds: str
    """What the file holds, in a few words of ours."""

    @property
    def line(self) -> str:
        """The whole path, which is what a person pastes."""
        return f"- {self.holds}: {path_end(self.path, 1_000)}"


class Context(msgspec.Struct, frozen=True):
    conversation: Conversation
    session: Session
    project: Project
    verdict: Verdict | None = None
    """None when nothing is known of the window."""
    is_asked: bool = True
    """Whether a person or an agent has asked for it and waits. A hook, which nobody asked, leaves what takes long to a
    process of its own."""

    def save(self, strategy: str, name: str, text: str, holds: str) -> File:
        """Write `text` as a file into the strategy's new directory. Raises OSError, OutsideProjectError."""
        session = self.session
        with added(session.root, self.project, session.config.pivot.export_directory, strategy) as directory:
            directory.write_atomic(name, text.encode("utf-8", "replace"))
            return File(os.path.join(directory.path, name), holds)


class Outcome(msgspec.Struct, frozen=True):
    """What a strategy has done: `status --pivot --json` prints it."""

    strategy: str
    files: tuple[File, ...]
    text: str
    """What there is now and what to do with it, for the person and the agent. What is from outside is made safe."""
