"""Lines that the session has added and removed."""

from shared.config import Config
from statusline.segment import Part, Segment, segment
from statusline.status import Status


def render(status: Status, config: Config) -> Segment | None:  # noqa: ARG001  every segment is called alike
    cost = status.payload.cost
    added, removed = (cost and cost.total_lines_added) or 0, (cost and cost.total_lines_removed) or 0
    if not added and not removed:
        return None
    return segment((30, (Part(f"+{added}", "added"), Part(" "), Part(f"-{removed}", "removed"))))
