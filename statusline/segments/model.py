"""The model's name and effort."""

from shared.config import Config
from shared.plain import plain
from statusline.segment import Part, Segment, segment
from statusline.status import Status
from statusline.width import cut

UNNAMED = "Claude"
SHORT_COLUMNS = 16


def render(status: Status, config: Config) -> Segment | None:  # noqa: ARG001  every segment is called alike
    model, effort = status.payload.model, status.payload.effort
    name = plain((model and (model.display_name or model.id)) or "").strip() or UNNAMED
    level = plain((effort and effort.level) or "").strip()
    short, called = Part(cut(name.partition(" (")[0], SHORT_COLUMNS), "model"), Part(name, "model")
    return segment((96, (short,)), (87, (called,)), (40, (called, Part(f" {level}" if level else "", "dim"))))
