"""The badge of our parts that need attention: always in front, so that failing open is not failing silently."""

import os

from shared import paths
from shared.settings.config import Settings
from statusline.measuring.status import Status
from statusline.segment import Form, Part, Segment


def badge(status: Status) -> Segment | None:
    """The parts with problems, and the command that says more."""
    if not status.problems:
        return None
    names = ", ".join(status.problems)
    return (
        Form(99, (Part("!", "badge"),)),
        Form(92, (Part(f"! {names}", "badge"),)),
        Form(50, (Part(f"! {names}: tidegauge doctor", "badge"),)),
    )


def problems_of(root: str, settings: Settings) -> tuple[str, ...]:
    """`config` if there are unusable settings, and the processes whose last run failed."""
    failed = tuple(name for name in ("monitor", "statusline") if os.path.exists(paths.failure_mark(root, name)))
    return ("config", *failed) if settings.problems else failed
