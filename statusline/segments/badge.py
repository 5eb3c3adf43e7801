"""What of ours needs attention: always in front, so that failing open is not failing silently."""

from shared.config import Config
from statusline.segment import Part, Segment, segment
from statusline.status import Status


def render(status: Status, config: Config) -> Segment | None:  # noqa: ARG001  every segment is called alike
    if not status.problems:
        return None
    names = ", ".join(status.problems)
    return segment(
        (99, (Part("!", "badge"),)),
        (92, (Part(f"! {names}", "badge"),)),
        (50, (Part(f"! {names}: tidegauge doctor", "badge"),)),
    )
