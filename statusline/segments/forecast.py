"""How many tool uses are left to the limit, at the pace of the recent ones."""

from shared.config import Config
from statusline.segment import Part, Segment, segment
from statusline.status import Status

IMPORTANCE, URGENT = 60, 82
MOST = 999
"""Beyond this many nobody plans with them."""


def render(status: Status, config: Config) -> Segment | None:  # noqa: ARG001  every segment is called alike
    uses = status.tool_uses_left
    if uses is None or uses > MOST:
        return None
    noun = "tool use" if uses == 1 else "tool uses"
    role = "text" if status.level else "dim"
    importance = URGENT if status.level else IMPORTANCE
    return segment(
        (importance + 2, (Part(f"~{uses} {noun.removeprefix('tool ')} left", role),)),
        (importance, (Part(f"~{uses} {noun} left", role),)),
    )
