"""Levels: how urgent the state of a context window is. The bridge holds none; whoever reads one computes it."""

import enum
from typing import Annotated, ClassVar

import msgspec

from shared.reading import Reading


class Level(enum.IntEnum):
    """The monitor's levels, in order of urgency."""

    NORMAL = 0
    WARNING = 1
    CRITICAL = 2
    EXHAUSTED = 3


class Rung(msgspec.Struct, frozen=True):
    """When one level is reached and how often it is told."""

    remaining: Annotated[float, msgspec.Meta(ge=0, le=100)]
    """Percent of the window left at which the level begins (inclusive)."""
    every: Annotated[int, msgspec.Meta(ge=1, le=1000)]
    """Tool uses from one message to the next at this level."""
    compact_margin_tokens: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
    """Tokens before a known auto-compaction at which the level begins at the latest."""
    max_tokens: Annotated[int, msgspec.Meta(ge=1, le=2_000_000)] | None = None
    """Tokens left above which the level never begins, whatever the percentage says; for large windows."""


class Ordered(msgspec.Struct, frozen=True):
    """A section of settings that only make sense in their order: what one file says of it holds as a whole or not."""

    ORDER: ClassVar[str]
    """The order, for who got it wrong."""

    @property
    def is_ordered(self) -> bool:
        raise NotImplementedError


class Ladder(Ordered, frozen=True):
    """The three levels that speak."""

    ORDER: ClassVar[str] = "remaining must fall from warning over critical to exhausted"

    warning: Rung = Rung(remaining=35, every=5, compact_margin_tokens=20_000)
    critical: Rung = Rung(remaining=25, every=2, compact_margin_tokens=10_000)
    exhausted: Rung = Rung(remaining=15, every=1, compact_margin_tokens=5_000)

    def rung(self, level: Level) -> Rung | None:
        """The rung of a level; NORMAL has none."""
        return {
            Level.WARNING: self.warning,
            Level.CRITICAL: self.critical,
            Level.EXHAUSTED: self.exhausted,
        }.get(level)

    @property
    def is_ordered(self) -> bool:
        """Whether each level begins later than the one before it."""
        return self.warning.remaining > self.critical.remaining > self.exhausted.remaining


def level_of(reading: Reading, ladder: Ladder, compaction_at: int | None = None) -> Level:
    """The level of a reading; `compaction_at` is the token count at which the client compacts, when known."""
    for level in (Level.EXHAUSTED, Level.CRITICAL, Level.WARNING):
        rung = ladder.rung(level)
        if rung is not None and _is_reached(reading, rung, compaction_at):
            return level
    return Level.NORMAL


def begins_at(rung: Rung, window: int, compaction_at: int | None = None) -> int:
    """The smallest token count in a window of `window` tokens at which `rung` is reached."""
    used = 100 - rung.remaining
    whole = int(used) if used == int(used) else int(used) + 1
    tokens = -(-window * (2 * whole - 1) // 200)  # used percentages are rounded halves up
    if rung.max_tokens is not None:
        tokens = max(tokens, window - rung.max_tokens)
    if compaction_at is not None:
        tokens = min(tokens, compaction_at - rung.compact_margin_tokens)
    return max(0, tokens)


def _is_reached(reading: Reading, rung: Rung, compaction_at: int | None) -> bool:
    tokens, window = reading.tokens, reading.window
    if tokens is not None and compaction_at is not None and tokens >= compaction_at - rung.compact_margin_tokens:
        return True
    if reading.remaining > rung.remaining:
        return False
    return rung.max_tokens is None or tokens is None or window is None or window - tokens <= rung.max_tokens
