"""What of ours needs looking after, in a word each: for the badge."""

import os

from shared import paths
from shared.layer import Settings
from statusline.segments import SEGMENTS
from statusline.themes import THEMES


def problems_of(root: str, settings: Settings) -> tuple[str, ...]:
    """`config` for settings that could not be used, and the processes whose last run failed."""
    failed = tuple(name for name in ("monitor", "statusline") if os.path.exists(paths.failure_mark(root, name)))
    return ("config", *failed) if settings.problems or unknown_names(settings) else failed


def unknown_names(settings: Settings) -> list[str]:
    """Segments and themes that the configuration names and that there are none of."""
    line = settings.config.statusline
    names = [name for names in line.lines for name in names] + list(line.hide)
    return [name for name in names if name not in SEGMENTS] + [line.theme] * (line.theme not in THEMES)
