"""The input of segments: the payload, and the measurement from it."""

import msgspec

from shared.gauge.levels import Level
from shared.gauge.verdict import Verdict
from shared.gauge.window import Reading
from statusline.measuring.session_samples import SessionSamples
from statusline.payload import Payload


class Status(msgspec.Struct, frozen=True):
    payload: Payload
    now: float = 0.0
    """Epoch seconds."""
    verdict: Verdict | None = None
    """None while the client doesn't know how full the window is."""
    samples: SessionSamples = SessionSamples()
    problems: tuple[str, ...] = ()
    """The badge's names of our parts that need attention."""

    @property
    def reading(self) -> Reading | None:
        return self.verdict.reading if self.verdict else None

    @property
    def level(self) -> Level:
        return self.verdict.level if self.verdict else Level.NORMAL

    @property
    def directory(self) -> str | None:
        workspace = self.payload.workspace
        return (workspace and workspace.current_dir) or self.payload.cwd
