"""The model's name, and the effort that it is asked for."""

from shared.config import Config
from shared.plain import plain
from statusline.segment import MODEL, Part, Segment
from statusline.status import Status

UNNAMED = "Claude"


def render(status: Status, config: Config) -> Segment | None:  # noqa: ARG001  every segment is called alike
    model, effort = status.payload.model, status.payload.effort
    name = plain((model and (model.display_name or model.id)) or "").strip() or UNNAMED
    level = plain((effort and effort.level) or "").strip()
    short = (Part(name, "model"),)
    return Segment(MODEL, ((*short, Part(f" {level}", "dim")), short) if level else (short,))
