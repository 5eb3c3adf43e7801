"""Every segment by the name under which `statusline.lines` orders it."""

from collections.abc import Callable

from shared.config import Config
from statusline.segment import Segment
from statusline.segments import (
    agent,
    cache,
    changes,
    compaction,
    context,
    cost,
    directory,
    duration,
    forecast,
    limits,
    model,
    pr,
    worktree,
)
from statusline.status import Status

Render = Callable[[Status, Config], Segment | None]

SEGMENTS: dict[str, Render] = {
    "model": model.render,
    "directory": directory.render,
    "context": context.render,
    "forecast": forecast.render,
    "compaction": compaction.render,
    "limits": limits.render,
    "cache": cache.render,
    "cost": cost.render,
    "changes": changes.render,
    "duration": duration.render,
    "pr": pr.render,
    "worktree": worktree.render,
    "agent": agent.render,
}
