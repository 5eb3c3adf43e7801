"""All that a segment may know: the payload, and what was measured from it."""

import msgspec

from shared.levels import Level
from shared.limit import Limit
from shared.reading import Reading
from statusline.payload import Payload
from statusline.seen import SessionSeen


class Status(msgspec.Struct, frozen=True):
    payload: Payload
    now: float = 0.0
    """Epoch seconds."""
    reading: Reading | None = None
    """None while the client doesn't know how full the window is."""
    level: Level = Level.NORMAL
    limit: Limit | None = None
    """Where the window really ends; None while its size is unknown."""
    tool_uses_left: int | None = None
    """To the limit, at the recent pace; None with too few samples."""
    seen: SessionSeen = SessionSeen()
    """What was seen of the session so far."""
    problems: tuple[str, ...] = ()
    """What the badge tells: each the name of a part of ours that needs looking after."""

    @property
    def directory(self) -> str | None:
        """The session's directory, as the client gave it."""
        workspace = self.payload.workspace
        return (workspace and workspace.current_dir) or self.payload.cwd
