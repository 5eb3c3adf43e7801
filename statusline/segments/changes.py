"""The lines that the session has added and removed."""

from shared.config import Config
from statusline.segment import Part, Segment, segment
from statusline.status import Status


def render(status: Status, config: Config) -> Segment | None:  # noqa: ARG001  every segment is called alike
    cost = status.payload.cost
    added, removed = cost and cost.total_lines_added, cost and cost.total_lines_removed
    if not added and not removed:
        return None
    parts = [Part(f"+{added}", "added")] if added is not None else []
    parts += [Part(" ")] if added is not None and removed is not None else []
    parts += [Part(f"-{removed}", "removed")] if removed is not None else []
    return segment((30, tuple(parts)))
