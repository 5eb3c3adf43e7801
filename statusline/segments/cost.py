"""What the session has cost so far, as the client counts it."""

from shared.config import Config
from statusline.segment import Part, Segment, segment
from statusline.status import Status


def render(status: Status, config: Config) -> Segment | None:  # noqa: ARG001  every segment is called alike
    dollars = status.payload.cost and status.payload.cost.total_cost_usd
    if not dollars:
        return None
    return segment((42, (Part(f"${dollars:,.2f}" if dollars >= 0.005 else "<$0.01"),)))
