"""The settings that a project may have in its `.claude/tidegauge.toml`, and their bounds.

The file comes with a repository, so its author may be hostile. It may adapt the levels to the project's work,
but can neither silence them nor flood the agent. All else is the person's: it may not run a command, choose a
directory, name an address, set a text, switch anything off or on, or change the display.
"""

from operator import attrgetter

from shared.settings.config import CEILING, Config

_SCALES = ("levels.", "prompt_tag.tiers.", "pivot.levels.")


def bounds_of(key: str) -> tuple[float, float] | None:
    """The bounds of a number that a project may set, half and double its default; None for all other keys."""
    if key == "ceiling.percentage":
        default = CEILING
    elif key.startswith(_SCALES):
        default = attrgetter(key)(Config())
    else:
        return None
    return default / 2, default * 2
