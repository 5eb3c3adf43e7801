"""The distance to the client's auto-compaction: an estimate, shown where it lies before the window ends."""

from shared.config import Config
from statusline.quantities import tokens_text
from statusline.segment import Part, Segment, segment
from statusline.status import Status


def render(status: Status, config: Config) -> Segment | None:  # noqa: ARG001  every segment is called alike
    if status.compaction_at is None or status.reading is None or status.reading.tokens is None:
        return None
    left = tokens_text(max(0, status.compaction_at - status.reading.tokens))
    return segment(
        (56, (Part(f"~{left} to compact", "dim"),)),
        (54, (Part(f"~{left} to auto-compaction", "dim"),)),
    )
