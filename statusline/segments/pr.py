"""The pull or merge request of the branch, and how its review stands."""

from shared.config import Config
from shared.plain import plain
from statusline.segment import Part, Segment, segment
from statusline.status import Status


def render(status: Status, config: Config) -> Segment | None:  # noqa: ARG001  every segment is called alike
    request = status.payload.pr
    if request is None or request.number is None:
        return None
    name = f"MR !{request.number}" if request.kind == "mr" else f"PR #{request.number}"
    state = plain(request.review_state or "", 24).replace("_", " ").strip()
    short = Part(name, "accent")
    return segment((48, (short,)), (44, (short, Part(f" {state}" if state else "", "dim"))))
