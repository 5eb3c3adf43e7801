"""How many tool uses are left until the next level, or until the window ends."""

from shared.config import Config
from shared.forecast import tool_uses_left
from shared.levels import Level, begins_at
from statusline.segment import Part, Segment, segment
from statusline.status import Status

IMPORTANCE, URGENT = 60, 82
MOST = 999
"""Beyond this many nobody plans with them."""


def render(status: Status, config: Config) -> Segment | None:
    reading, growth = status.reading, status.growth
    if reading is None or reading.tokens is None or reading.window is None or not growth:
        return None
    if status.level is Level.EXHAUSTED:
        limit, name = min(reading.window, status.compaction_at or reading.window), "full"
        name = name if limit == reading.window else "compaction"
    else:
        next_level = Level(status.level + 1)
        rule = config.levels.rule(next_level)
        limit = begins_at(rule, reading.window, status.compaction_at) if rule else reading.window
        name = next_level.name
    uses = max(1, tool_uses_left(limit - reading.tokens, growth))
    if uses > MOST:
        return None
    noun = "tool use" if uses == 1 else "tool uses"
    role = "text" if status.level else "dim"
    importance = URGENT if status.level else IMPORTANCE
    return segment(
        (importance + 2, (Part(f"~{uses} {noun.removeprefix('tool ')} to {name}", role),)),
        (importance, (Part(f"~{uses} {noun} to {name}", role),)),
    )
