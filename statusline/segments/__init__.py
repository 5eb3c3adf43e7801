"""All segments, by their names in `statusline.lines`."""

from collections.abc import Callable

from statusline.measuring.status import Status
from statusline.segment import Segment
from statusline.segments.session import agent, changes, directory, model, pr, worktree
from statusline.segments.spending import cost, duration, limits
from statusline.segments.window import cache, compaction, context, forecast

_RENDERS = (
    model, directory, context, forecast, compaction, limits,
    cache, cost, changes, duration, pr, worktree, agent,
)  # fmt: skip
SEGMENTS: dict[str, Callable[[Status], Segment | None]] = {render.__name__: render for render in _RENDERS}
