"""All that a segment may know: the payload, and what was measured from it."""

import msgspec

from shared.levels import Level
from shared.reading import Reading
from shared.verdict import Verdict
from statusline.payload import Payload
from statusline.seen import SessionSeen


class Status(msgspec.Struct, frozen=True):
    payload: Payload
    now: float = 0.0
    """Epoch seconds."""
    verdict: Verdict | None = None
    """None while the client doesn't know how full the window is."""
    seen: SessionSeen = SessionSeen()
    """What was seen of the session so far."""
    problems: tuple[str, ...] = ()
    """What the badge tells: each the name of a part of ours that needs looking after."""

    @property
    def reading(self) -> Reading | None:
        return self.verdict.reading if self.verdict else None

    @property
    def level(self) -> Level:
        return self.verdict.level if self.verdict else Level.NORMAL

    @property
    def directory(self) -> str | None:
        """The session's directory, as the client gave it."""
        workspace = self.payload.workspace
        return (workspace and workspace.current_dir) or self.payload.cwd
