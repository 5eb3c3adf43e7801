"""The types of a hook's event and reply."""

from typing import Any

import msgspec

from shared.files.lenient import LenientRecord


class HookEvent(LenientRecord):
    """The fields that all of the client's events share; each hook's own event adds those that it reads."""

    session_id: str = ""
    transcript_path: str = ""
    """The session's, even in a subagent's event."""
    cwd: str = ""
    """The session's current directory."""
    agent_id: Any = None
    """A subagent's id. A malformed one isn't replaced by None: the event would count as the session's."""


class ToolInput(LenientRecord):
    """A tool's input. Only the fields that hooks read are decoded: the rest may be 30 MB of anything."""

    file_path: str = ""
    path: str = ""
    pattern: str = ""
    glob: str = ""
    command: str = ""
    subagent_type: str = ""
    skill: str = ""
    name: str = ""


class Message(msgspec.Struct, frozen=True):
    """A speaker's message at a tool use; a speaker is a function of a snapshot and the memory that it updates."""

    context: str = ""
    """For the agent."""
    terminal: str = ""
    """A sequence for the person's terminal."""
    is_warning: bool = False
    """Whether this is the level's message, which is framed."""


class Reply(msgspec.Struct, frozen=True):
    """A hook's reply; each part goes to a place of its own in the client."""

    context: str = ""
    """Text for the model, next to the tool result, the prompt or the session's start."""
    notice: str = ""
    """Text for the person alone."""
    terminal: str = ""
    """A sequence for the person's terminal (OSC 9 or 777: a notification); the client passes on no other."""
    plain: str = ""
    """Plain standard output, where the client takes no JSON (PreCompact: the summariser's instructions)."""
    stderr: str = ""
    """Why the tool may not run: for the person, or with `is_blocking` for the model."""
    is_blocking: bool = False
    """Whether the tool is blocked; only by guards that the person has set to block."""
