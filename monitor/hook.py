"""What a hook answers."""

import msgspec


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
