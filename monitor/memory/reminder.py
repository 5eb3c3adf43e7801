"""When to repeat a message: if its level rises, or after some tool uses, but only so often in a window cycle."""

from collections.abc import Mapping
from typing import Annotated

import msgspec

from shared.files.lenient import Count
from shared.gauge.levels import Level, PivotLevel

Severity = Annotated[int, msgspec.Meta(ge=0, le=int(max(*Level, *PivotLevel)))]
"""A level's rank in its scale; 0 if nothing is reported."""


class Reminder(msgspec.Struct, frozen=True, omit_defaults=True):
    """The reports of one scale's levels since the last compaction."""

    level: Severity = 0
    """The level at the last tool use."""
    uses: Count = 0
    """Tool uses since the last message."""
    notified: Severity = 0
    """The level of the last message, or less if the level has fallen since."""
    answer: str = ""
    """Id of the answer whose tool use carried the last message: its parallel calls don't carry another."""
    counts: Mapping[str, Count] = {}
    """Messages by level, in this window cycle."""
    is_done: bool = False
    """Whether what the last message asked for has been done: silence until the level rises."""

    def count(self, level: int) -> int:
        return self.counts.get(str(level), 0)

    def quiet_uses(self, every: int | None, most: int | None) -> int | None:
        """Tool uses that may pass at this level before a message can be due; None: any number."""
        if every is None or self.is_done or (most is not None and self.count(self.level) >= most):
            return None
        return max(0, every - self.uses - 1)


def step(
    reminder: Reminder,
    level: int,
    answer: str = "",
    *,
    every: int | None = None,
    most: int | None = None,
    uses: int = 1,
) -> tuple[Reminder, bool]:
    """The reminder after `uses` more tool uses at `level`, and whether to report the level with the last one.

    `every`: tool uses after which a constant level is reported again; None: only when it is reached. `most`: the most
    reports of a level in one window cycle; None: no limit.
    """
    if level == 0:
        return msgspec.structs.replace(reminder, level=0, uses=0, notified=0, is_done=False), False
    passed, has_risen = reminder.uses + uses, level > reminder.level
    is_repeated = every is not None and passed >= every and not reminder.is_done
    is_left = most is None or reminder.count(level) < most
    is_of_batch = bool(answer) and answer == reminder.answer  # a parallel tool use has carried the message
    if not ((has_risen or is_repeated) and is_left) or (is_of_batch and level <= reminder.notified):
        return msgspec.structs.replace(reminder, level=level, uses=passed), False
    return Reminder(level, 0, level, answer, {**reminder.counts, str(level): reminder.count(level) + 1}), True


def has_risen_by(value: float, before: float | None, points: float) -> bool:
    """Whether to report `value` after `before`: the first time, and `points` further up."""
    return before is None or value >= before + points
