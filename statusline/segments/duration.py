"""How long the session has lasted."""

from shared.config import Config
from shared.duration import duration_text
from statusline.segment import Part, Segment, segment
from statusline.status import Status


def render(status: Status, config: Config) -> Segment | None:  # noqa: ARG001  every segment is called alike
    milliseconds = status.payload.cost and status.payload.cost.total_duration_ms
    if not milliseconds or milliseconds < 1000:
        return None
    return segment((25, (Part(duration_text(milliseconds / 1000), "dim"),)))
