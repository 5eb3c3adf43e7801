"""What of ours needs attention, in a word each: for the badge."""

import os

from shared import paths
from shared.layer import Settings


def problems_of(root: str, settings: Settings) -> tuple[str, ...]:
    """`config` for settings that could not be used, and the processes whose last run failed."""
    failed = tuple(name for name in ("monitor", "statusline") if os.path.exists(paths.failure_mark(root, name)))
    return ("config", *failed) if settings.problems else failed
