"""What of ours needs looking after: always in front, so that failing open is not failing silently."""

from shared.config import Config
from statusline.segment import BADGE, Part, Segment
from statusline.status import Status


def render(status: Status, config: Config) -> Segment | None:  # noqa: ARG001  every segment is called alike
    if not status.troubles:
        return None
    names = ", ".join(status.troubles)
    return Segment(BADGE, tuple((Part(text, "badge"),) for text in (f"! {names}: tidegauge doctor", f"! {names}", "!")))
