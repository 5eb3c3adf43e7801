"""The pivot's levels: how near a session is to its end. A ladder of its own, beside the monitor's levels."""

import enum

from monitor.tier import fill_of
from shared.config import PivotLevels
from shared.reading import Reading


class PivotLevel(enum.IntEnum):
    """In order of urgency."""

    NORMAL = 0
    WARNING = 1
    ALERT = 2
    CRITICAL = 3
    EMERGENCY = 4


def percent_of(reading: Reading) -> float:
    """Percent of the window in use, 0 to 100; exact where the tokens are known."""
    return round(100 * fill_of(reading), 6)  # 100 * 0.57 is a little less than 57


def level_of(percent: float, levels: PivotLevels) -> PivotLevel:
    """The level at `percent`; each begins with its own bound."""
    return PivotLevel(
        sum(percent >= bound for bound in (levels.warning, levels.alert, levels.critical, levels.emergency))
    )
