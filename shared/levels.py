"""Levels: how urgent the state of a context window is. The bridge holds none; whoever reads one computes it.

Beside the four levels stand two finer scales, which decide what else happens where: the tiers (how long the
prompt's tag is, when a prompt saves) and the pivot's levels (when a session is analysed, told and exported).
"""

import enum
from itertools import pairwise
from typing import Annotated, ClassVar

import msgspec

from shared.reading import Reading

Fraction = Annotated[float, msgspec.Meta(gt=0, le=1)]
Percent = Annotated[float, msgspec.Meta(ge=1, le=100)]


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
    """Where the levels of one scale begin: a section of settings of which one file's part holds as a whole or not."""

    ORDER: ClassVar[str]
    """The order, for who got it wrong."""

    @property
    def bounds(self) -> tuple[float, ...]:
        """Where each level begins (inclusive), the lowest first, on the scale's own unit; it rises."""
        raise NotImplementedError

    @property
    def is_ordered(self) -> bool:
        """Whether each level begins later than the one before it."""
        return all(earlier < later for earlier, later in pairwise(self.bounds))

    def reached(self, value: float) -> int:
        """How many of the bounds `value` has reached."""
        return sum(value >= bound for bound in self.bounds)


class LevelRule(msgspec.Struct, frozen=True):
    """When one level is reached and how often it is told."""

    remaining: Annotated[float, msgspec.Meta(ge=0, le=100)]
    """Percent of the window left at which the level begins (inclusive)."""
    every: Annotated[int, msgspec.Meta(ge=1, le=1000)]
    """A message comes at most once in this many tool uses."""
    compact_margin_tokens: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
    """Tokens before a known auto-compaction at which the level begins at the latest."""
    max_tokens: Annotated[int, msgspec.Meta(ge=1, le=2_000_000)] | None = None
    """The level never begins with more tokens left than this, whatever the percentage says; for large windows."""


class LevelRules(Thresholds, frozen=True):
    """The three levels that speak, in percent of the window used."""

    ORDER: ClassVar[str] = "remaining must fall from warning through critical to exhausted"

    warning: LevelRule = LevelRule(remaining=35, every=5, compact_margin_tokens=20_000)
    critical: LevelRule = LevelRule(remaining=25, every=2, compact_margin_tokens=10_000, max_tokens=100_000)
    exhausted: LevelRule = LevelRule(remaining=15, every=1, compact_margin_tokens=5_000, max_tokens=60_000)

    def rule(self, level: Level) -> LevelRule | None:
        """The rule of a level: the setting of its name in lower case. NORMAL has none."""
        return None if level is Level.NORMAL else getattr(self, level.name.lower())

    @property
    def bounds(self) -> tuple[float, ...]:
        return tuple(100 - rule.remaining for level in Level if (rule := self.rule(level)))


class Tiers(Thresholds, frozen=True):
    """Where the tag's tiers begin (inclusive), as fractions of the window; below `low` it is NOMINAL."""

    ORDER: ClassVar[str] = "the tiers must rise from low through warning and critical to emergency"

    low: Fraction = 0.55
    """The part of the window in use at which LOW begins."""
    warning: Fraction = 0.70
    """The part at which WARNING begins."""
    critical: Fraction = 0.80
    """The part at which CRITICAL begins."""
    emergency: Fraction = 0.88
    """The part at which EMERGENCY begins."""

    @property
    def bounds(self) -> tuple[float, ...]:
        return self.low, self.warning, self.critical, self.emergency


class PivotLevels(Thresholds, frozen=True):
    """Where the levels of a pivot begin (inclusive), in percent of the window in use; below `warning` it is normal."""

    ORDER: ClassVar[str] = "the levels must rise from warning through alert and critical to emergency"

    warning: Percent = 50
    """Percent of the window in use at which this is noted in the session's state; nobody is told."""
    alert: Percent = 70
    """Percent at which the person is told."""
    critical: Percent = 85
    """Percent at which an export is recommended to the person and to the agent."""
    emergency: Percent = 95
    """Percent at which a session that ends at its limit is exported."""

    @property
    def bounds(self) -> tuple[float, ...]:
        return self.warning, self.alert, self.critical, self.emergency


def level_of(reading: Reading, rules: LevelRules, compaction_at: int | None = None) -> Level:
    """The level of a reading; `compaction_at` is the token count at which the client compacts, when known."""
    reached = (level for level in Level if (rule := rules.rule(level)) and _is_reached(reading, rule, compaction_at))
    return max(reached, default=Level.NORMAL)


def tier_of(fill: float, tiers: Tiers) -> Tier:
    """The tier of a fill, 0 to 1."""
    return Tier(tiers.reached(fill))


def pivot_level_of(percent: float, levels: PivotLevels) -> PivotLevel:
    """The pivot's level at `percent` of the window in use, 0 to 100."""
    return PivotLevel(levels.reached(percent))


def begins_at(rule: LevelRule, window: int, compaction_at: int | None = None) -> int:
    """The smallest token count in a window of `window` tokens at which `rule` is reached."""
    used = 100 - rule.remaining
    whole = int(used) if used == int(used) else int(used) + 1
    tokens = -(-window * (2 * whole - 1) // 200)  # used percentages are rounded halves up
    if rule.max_tokens is not None:
        tokens = max(tokens, window - rule.max_tokens)
    if compaction_at is not None:
        tokens = min(tokens, compaction_at - rule.compact_margin_tokens)
    return max(0, tokens)


def first_level(rules: LevelRules, window: int, compaction_at: int | None) -> int:
    """Tokens at which the first level that speaks begins in a window of `window` tokens."""
    return min(begins_at(rule, window, compaction_at) for level in Level if (rule := rules.rule(level)))


def fill_of(reading: Reading) -> float | None:
    """The part of the window that is in use, 0 to 1, exact where the tokens are known; None for an unknown size."""
    if reading.tokens is not None and reading.window:
        return min(1.0, reading.tokens / reading.window)
    return None if reading.remaining is None else min(1.0, max(0.0, (100 - reading.remaining) / 100))


def percent_of(reading: Reading) -> float | None:
    """Percent of the window in use, 0 to 100, exact where the tokens are known; None for an unknown size."""
    fill = fill_of(reading)
    return None if fill is None else round(100 * fill, 6)  # 100 * 0.57 is a little less than 57


def fill_text(fill: float) -> str:
    """Four decimals, never rounded up: what is shown has not reached a bound that the tier hasn't."""
    return f"{int(fill * 10_000 + 1e-9) / 10_000:.4f}"


def _is_reached(reading: Reading, rule: LevelRule, compaction_at: int | None) -> bool:
    tokens, window = reading.tokens, reading.window
    if tokens is not None and compaction_at is not None and tokens >= compaction_at - rule.compact_margin_tokens:
        return True
    # The number that everybody sees, so that no two disagree.
    if reading.used is None or 100 - reading.used > rule.remaining:
        return False
    return rule.max_tokens is None or tokens is None or window is None or window - tokens <= rule.max_tokens
