"""What a hook may know of the session that it serves."""

import os
from collections.abc import Mapping

import msgspec

from shared import paths
from shared.config import Config


class Session(msgspec.Struct, frozen=True):
    """One event's surroundings: where Tidegauge lies, the settings in force, the environment, the time."""

    root: str
    config: Config
    environ: Mapping[str, str]
    now: float
    """Epoch seconds, before the settings were read."""
    project: str = ""
    """The project's directory; empty when it is not known."""

    @property
    def client_directory(self) -> str:
        """The client's configuration directory, which holds `root`."""
        return os.path.dirname(os.path.abspath(self.root))


class Conversation(msgspec.Struct, frozen=True):
    """A main session, or one of its subagents: each has a window, a transcript and a memory of its own."""

    session_id: str
    transcript: str
    agent_id: str | None = None

    @property
    def id(self) -> str:
        """Its name in our files. No id holds a dot, so a subagent's name is never a session's."""
        return f"{self.session_id}.{self.agent_id}" if self.agent_id else self.session_id

    @property
    def is_subagent(self) -> bool:
        return self.agent_id is not None


def conversation_of(session_id: str, transcript: str, agent_id: str | None) -> Conversation | None:
    """The conversation that an event belongs to; None for ids that may not become a file name.

    A subagent's event carries its parent's session id and transcript (client-facts.md).
    """
    if not paths.is_id(session_id):
        return None
    if agent_id is None:
        return Conversation(session_id, transcript)
    if not paths.is_id(agent_id):
        return None
    return Conversation(session_id, paths.subagent_transcript(transcript, session_id, agent_id), agent_id)
