"""The session that a hook serves: its environment, conversation and project."""

import os
from collections.abc import Callable, Mapping
from itertools import accumulate
from typing import Any

import msgspec

from shared import paths
from shared.client import client
from shared.process import boundary
from shared.settings.config import Config


class Session(msgspec.Struct, frozen=True):
    """The context of one event: Tidegauge's directory, the settings in force, the environment, the time."""

    root: str
    config: Config
    environ: Mapping[str, str]
    now: float
    """Epoch seconds, sampled before the settings were read."""
    project: str = ""
    """The project's directory; empty if unknown."""

    @property
    def client_directory(self) -> str:
        return os.path.dirname(os.path.abspath(self.root))

    def attempt(self, step: Callable[..., boundary.Result], *arguments: Any) -> boundary.Result | None:
        """Return the result of `step`; if it fails, report that under the monitor's name and return None."""
        return boundary.attempt("monitor", self.root, step, *arguments)


class Conversation(msgspec.Struct, frozen=True):
    """A main session, or one of its subagents: each has a window, a transcript and a memory of its own."""

    session_id: str
    transcript: str
    agent_id: str | None = None

    @property
    def id(self) -> str:
        """The name in our files. No id holds a dot, so a subagent's name is never a session's."""
        return f"{self.session_id}.{self.agent_id}" if self.agent_id else self.session_id

    @property
    def is_subagent(self) -> bool:
        return self.agent_id is not None


def conversation_of(session_id: str, transcript: str, agent_id: Any) -> Conversation | None:
    """The conversation of an event, None for unusable ids; a subagent's event names its parent's transcript."""
    if not paths.is_id(session_id):
        return None
    if agent_id is None:
        return Conversation(session_id, transcript)
    if not isinstance(agent_id, str) or not paths.is_id(agent_id):
        return None
    return Conversation(session_id, paths.subagent_transcript(transcript, session_id, agent_id), agent_id)


class Project(msgspec.Struct, frozen=True):
    """A project, identified by its real path, so that no other project's work counts as its own."""

    directory: str
    working_directory: str
    """The session's current directory, as the client reports it."""

    @property
    def id(self) -> str:
        return os.path.basename(self.directory) or self.directory

    def short_path(self, path: str) -> str:
        """`path` as people in the project write it: relative to the project's directory if it is inside."""
        starts = (start.rstrip("/\\") + os.sep for start in (self.directory, self.working_directory))
        if client.WORKTREES in self.working_directory.removeprefix(self.directory):
            return path  # within a worktree, a path relative to the project's directory is wrong
        return next((path.removeprefix(start) for start in starts if path.startswith(start)), path)

    def holds(self, path: str) -> bool:
        """Whether a path, with its links followed, is inside the project."""
        try:
            return os.path.commonpath([self.real(path), self.directory]) == self.directory
        except ValueError:  # another drive, or a NUL in the path
            return False

    def real(self, path: str) -> str:
        """`path` with its links followed; if it is in the project, only steps below the directory are checked."""
        above = os.path.join(self.directory, "")
        steps = path.removeprefix(above).split(os.sep)
        links = map(os.path.islink, accumulate(steps, os.path.join, initial=self.directory))
        is_plain = os.altsep is None and "\0" not in path and not {"", ".", ".."} & {*steps}
        return path if is_plain and path.startswith(above) and not any(links) else os.path.realpath(path)


def project_of(session: Session, cwd: str) -> Project | None:
    """The project of an event that happened in `cwd`; None when there is no such directory."""
    for directory in (session.project, cwd):
        if directory and os.path.isabs(directory) and "\0" not in directory and os.path.isdir(directory):
            return Project(os.path.realpath(directory), cwd or directory)
    return None
