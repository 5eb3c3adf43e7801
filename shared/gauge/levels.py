"""Levels: how urgent the state of a context window is. The bridge holds none; each reader computes its own.

Two finer scales decide what else happens when: the tiers (what the prompt's tag asks for below WARNING) and the
pivot's levels (when a session is analysed, reported and exported).
"""

import enum
from itertools import pairwise
from typing import Annotated, ClassVar

import msgspec

from shared.gauge.window import Reading

Fraction = Annotated[float, msgspec.Meta(gt=0, le=1)]
Percent = Annotated[float, msgspec.Meta(ge=1, le=100)]
LARGE = 400_000
"""The window size in tokens above which a percentage says little: a profile's additions are silent before WARNING."""


class Level(enum.IntEnum):
    """The monitor's levels, in order of urgency."""

    NORMAL = 0
    WARNING = 1
    CRITICAL = 2
    EXHAUSTED = 3


class Tier(enum.IntEnum):
    """The tag's tiers, in order of urgency."""

    NOMINAL = 0
    LOW = 1
    WARNING = 2
    CRITICAL = 3
    EMERGENCY = 4


class PivotLevel(enum.IntEnum):
    """The pivot's levels, in order of urgency: how near a session is to its end."""

    NORMAL = 0
    WARNING = 1
    ALERT = 2
    CRITICAL = 3
    EMERGENCY = 4


class Thresholds(msgspec.Struct, frozen=True):
    """The bounds of one scale's levels: a section of settings, of which a file's part is used whole or not at all."""

    DIRECTION: ClassVar[str] = "the levels must rise"
    """The rule for the levels' order."""

    @property
    def bounds(self) -> tuple[float, ...]:
        """Where each level begins (inclusive), in the scale's own unit, rising."""
        return tuple(getattr(self, name) for name in self.__struct_fields__)

    @property
    def disorder(self) -> str:
        """The error in the order; empty if each level begins later than the one before it."""
        is_ordered = all(earlier < later for earlier, later in pairwise(self.bounds))
        return "" if is_ordered else f"{self.DIRECTION} in this order: {', '.join(self.__struct_fields__)}"

    def reached(self, value: float) -> int:
        """The number of bounds that `value`, in their unit, has reached: the number of its level."""
        return sum(value >= bound for bound in self.bounds)


class LevelRule(msgspec.Struct, frozen=True):
    """When one level is reached and how often it is reported."""

    remaining: Annotated[float, msgspec.Meta(ge=0, le=100)]
    """Percent of the window left at which the level begins (inclusive)."""
    every: Annotated[int, msgspec.Meta(ge=1, le=1000)]
    """A message comes at most once in this many tool uses."""
    compact_margin_tokens: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
    """Tokens before a known auto-compaction at which the level begins at the latest."""
    max_tokens: Annotated[int, msgspec.Meta(ge=1, le=2_000_000)] | None = None
    """The level never begins with more tokens left than this, whatever the percentage says; for large windows."""


class LevelRules(Thresholds, frozen=True):
    """The levels that speak, in percent of the window used."""

    DIRECTION: ClassVar[str] = "remaining must fall"

    warning: LevelRule = LevelRule(remaining=35, every=5, compact_margin_tokens=20_000, max_tokens=150_000)
    critical: LevelRule = LevelRule(remaining=25, every=2, compact_margin_tokens=10_000, max_tokens=100_000)
    exhausted: LevelRule = LevelRule(remaining=15, every=1, compact_margin_tokens=5_000, max_tokens=60_000)

    def rule(self, level: Level) -> LevelRule | None:
        """The rule of a level; None for NORMAL."""
        return dict(self.above(Level.NORMAL)).get(level)

    def above(self, level: Level) -> list[tuple[Level, LevelRule]]:
        """The levels more urgent than `level`, in order, each with its rule, which is the setting of its name."""
        return [(higher, getattr(self, higher.name.lower())) for higher in Level if higher > level]

    @property
    def bounds(self) -> tuple[float, ...]:
        return tuple(100 - rule.remaining for _, rule in self.above(Level.NORMAL))

    @property
    def disorder(self) -> str:
        """The error in the order, also of `max_tokens` and of `compact_margin_tokens`; empty if there is none."""
        for name in ("max_tokens", "compact_margin_tokens"):
            for lower, higher in pairwise(self.__struct_fields__):
                most, least = (getattr(getattr(self, level), name) for level in (lower, higher))
                if most is not None and least is not None and most < least:
                    return f"{lower}.{name} ({most:,}) must not be less than {higher}.{name} ({least:,})"
        return super().disorder


class Tiers(Thresholds, frozen=True):
    """Where the tag's tiers begin (inclusive), as fractions of the window; below `low` it is NOMINAL."""

    DIRECTION: ClassVar[str] = "the tiers must rise"

    low: Fraction = 0.55
    """The part of the window in use at which LOW begins."""
    warning: Fraction = 0.70
    """The part at which WARNING begins."""
    critical: Fraction = 0.80
    """The part at which CRITICAL begins."""
    emergency: Fraction = 0.88
    """The part at which EMERGENCY begins."""


class PivotLevels(Thresholds, frozen=True):
    """Where the levels of a pivot begin (inclusive), in percent of the window in use; below `warning` it is normal."""

    warning: Percent = 50
    """Percent of the window in use at which this is noted in the session's state; nobody is told."""
    alert: Percent = 70
    """Percent at which the person is told."""
    critical: Percent = 85
    """Percent at which an export is recommended to the person and to the agent."""
    emergency: Percent = 95
    """Percent at which a session that ends at its limit is exported."""


def level_of(reading: Reading, rules: LevelRules, compaction_at: int | None = None) -> Level:
    """The level of a reading; `compaction_at` is the token count at which the client compacts, if known."""
    above = rules.above(Level.NORMAL)
    if reading.tokens is not None and reading.window:
        reached = [level for level, rule in above if reading.tokens >= begins_at(rule, reading.window, compaction_at)]
    else:  # the displayed number, so that level and number never disagree
        used = reading.used
        reached = [level for level, rule in above if used is not None and 100 - used <= rule.remaining]
    return max(reached, default=Level.NORMAL)


def begins_at(rule: LevelRule, window: int, compaction_at: int | None = None) -> int:
    """The smallest token count in a window of `window` tokens at which `rule` is reached."""
    used = 100 - int(rule.remaining)
    tokens = -(-window * (2 * used - 1) // 200)  # used percentages are rounded halves up
    if rule.max_tokens is not None:
        tokens = max(tokens, window - rule.max_tokens)
    if compaction_at is not None:
        tokens = min(tokens, compaction_at - rule.compact_margin_tokens)
    return max(0, tokens)


def tokens_at(percent: float, window: int) -> int:
    """The smallest token count that is `percent` of a window of `window` tokens."""
    return -int(-window * round(percent, 6) // 100)  # 100 * 0.55 is a little more than 55


def fill_of(reading: Reading) -> float | None:
    """The used fraction of the window, 0 to 1, exact if the tokens are known; None if the size is unknown."""
    if reading.tokens is not None and reading.window:
        return min(1.0, reading.tokens / reading.window)
    return None if reading.remaining is None else min(1.0, max(0.0, (100 - reading.remaining) / 100))


def percent_of(reading: Reading) -> float | None:
    """Percent of the window in use, 0 to 100, exact if the tokens are known; None if the size is unknown."""
    fill = fill_of(reading)
    return None if fill is None else round(100 * fill, 6)  # 100 * 0.57 is a little less than 57
