"""What a hook is given, and what it answers."""

from typing import Any

import msgspec

from shared.files.lenient import LenientRecord


class HookEvent(LenientRecord):
    """What the events of the client have in common; each hook's own adds the fields that it reads."""

    session_id: str = ""
    transcript_path: str = ""
    """The session's, also where a subagent's event carries it."""
    cwd: str = ""
    """Where the session stands at present."""
    agent_id: Any = None
    """A subagent's. Of another type it stays what it is: nobody's event must count as the session's."""


class ToolInput(LenientRecord):
    """What a tool is called with. Only what a hook reads is decoded: the rest may be 30 MB of anything."""

    file_path: str = ""
    path: str = ""
    pattern: str = ""
    glob: str = ""
    command: str = ""
    subagent_type: str = ""
    skill: str = ""
    name: str = ""


class Message(msgspec.Struct, frozen=True):
    """What a speaker, a function of a snapshot and the memory in which it notes what is due, says at a tool use."""

    context: str = ""
    """For the agent."""
    terminal: str = ""
    """A sequence for the person's terminal."""
    is_warning: bool = False
    """Whether it is the level's message, which has a frame."""


class Reply(msgspec.Struct, frozen=True):
    """What a hook answers; each part goes where the client has a place for it."""

    context: str = ""
    """What the model reads, next to the tool result, the prompt or the session's start."""
    notice: str = ""
    """What the person alone reads."""
    terminal: str = ""
    """A sequence for the person's terminal (OSC 9 or 777: a notification); the client passes on no other."""
    plain: str = ""
    """Standard output as it is, where the client takes no JSON (PreCompact: the summariser's instructions)."""
    stderr: str = ""
    """Why the tool may not run: for the person, or with `is_blocking` for the model."""
    is_blocking: bool = False
    """Whether the tool is blocked; only guards that the person has switched to block may."""
