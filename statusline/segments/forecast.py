"""How many tool uses are left until the window's limit, at the recent pace."""

from shared.config import Config
from statusline.segment import Part, Segment, segment
from statusline.status import Status

IMPORTANCE, URGENT = 60, 82
MOST = 999
"""Beyond this many nobody plans with them."""


def render(status: Status, config: Config) -> Segment | None:  # noqa: ARG001  every segment is called alike
    left = status.verdict.tool_uses_left if status.verdict else None
    if left is None or left > MOST:
        return None
    noun = "tool use" if left == 1 else "tool uses"
    role = "text" if status.level else "dim"
    importance = URGENT if status.level else IMPORTANCE
    return segment(
        (importance + 2, (Part(f"~{left} {noun.removeprefix('tool ')} left", role),)),
        (importance, (Part(f"~{left} {noun} left", role),)),
    )
