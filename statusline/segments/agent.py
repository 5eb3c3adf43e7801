"""The agent that the session runs as."""

from shared.config import Config
from shared.plain import plain
from statusline.segment import Part, Segment, segment
from statusline.status import Status
from statusline.width import cut

SHORT_COLUMNS = 16


def render(status: Status, config: Config) -> Segment | None:  # noqa: ARG001  every segment is called alike
    agent = status.payload.agent
    name = plain((agent and agent.name) or "").strip()
    if not name:
        return None
    label = Part("agent ", "dim")
    return segment(
        (52, (label, Part(cut(name, SHORT_COLUMNS), "accent"))),
        (50, (label, Part(name, "accent"))),
    )
