"""Tiers: how full the window is, as the prompts' tag says it. A ladder of its own, beside the levels."""

import enum

from shared.config import Tiers
from shared.reading import Reading


class Tier(enum.IntEnum):
    """In order of urgency."""

    NOMINAL = 0
    LOW = 1
    WARNING = 2
    CRITICAL = 3
    EMERGENCY = 4


def fill_of(reading: Reading) -> float:
    """The part of the window that is in use, 0 to 1; exact where the tokens are known."""
    if reading.tokens is not None and reading.window:
        return min(1.0, reading.tokens / reading.window)
    return min(1.0, max(0.0, (100 - reading.remaining) / 100))


def tier_of(fill: float, tiers: Tiers) -> Tier:
    """The tier of a fill; each begins with its own bound."""
    reached = (fill >= bound for bound in (tiers.low, tiers.warning, tiers.critical, tiers.emergency))
    return Tier(sum(reached))


def fill_text(fill: float) -> str:
    """Four decimals, never rounded up: what is shown has not reached a bound that the tier hasn't."""
    return f"{int(fill * 10_000 + 1e-9) / 10_000:.4f}"
