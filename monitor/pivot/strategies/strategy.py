"""The context and outcome of a strategy: a way to continue near the window's end, if possible without a model."""

import os

import msgspec

from monitor.exporting.folder import new_export
from monitor.session import Conversation, Project, Session
from shared.gauge.verdict import Verdict
from shared.text.plain import path_end


class File(msgspec.Struct, frozen=True):
    path: str
    holds: str
    """The file's contents, in a few words of ours."""

    @property
    def line(self) -> str:
        """The line on the file, with its whole path for pasting."""
        return f"- {self.holds}: {path_end(self.path, 1_000)}"


class Context(msgspec.Struct, frozen=True):
    conversation: Conversation
    session: Session
    project: Project
    verdict: Verdict | None = None
    """None if nothing is known about the window."""
    is_asked: bool = True
    """Whether a person or an agent has asked for it and waits. An unasked hook leaves long work to another process."""

    def save(self, strategy: str, name: str, text: str, holds: str) -> File:
        """Write `text` to a file in a new directory of the strategy. Raises OSError, OutsideProjectError."""
        session = self.session
        with new_export(session.root, self.project, session.config.pivot.export_directory, strategy) as directory:
            directory.write_atomic(name, text.encode("utf-8", "replace"))
            return File(os.path.join(directory.path, name), holds)


class Outcome(msgspec.Struct, frozen=True):
    """The outcome of a strategy, which `status --pivot --json` prints."""

    strategy: str
    files: tuple[File, ...]
    text: str
    """The result and what to do with it, for the person and the agent. Text from outside is made safe."""
