"""The account's rate limits, as the client reports them to its status line, and when they will be used up."""

from collections.abc import Sequence
from itertools import takewhile
from typing import Annotated, Any

import msgspec

from shared.files.lenient import LenientRecord, record
from shared.text.quantities import round_half_up

Amount = Annotated[float, msgspec.Meta(ge=0, le=10**15)]
MOST_SAMPLES, PACE_SAMPLES = 60, 6
"""Samples of one limit that are stored, also for the history's next sync, and those that its pace is based on."""

REPORT_FROM, REPORT_STEP = 90, 5
"""Percent used from which the agent gets a message, and the points after which it gets another."""


class RateLimit(LenientRecord):
    """The usage of one limit."""

    used_percentage: Amount | None = None
    resets_at: Amount | None = None
    """Epoch seconds."""

    @property
    def used(self) -> int:
        """Percent used, rounded halves up; 0 if unknown."""
        return round_half_up(self.used_percentage or 0)


class RateLimits(LenientRecord):
    """An account's limits, if it has any."""

    five_hour: RateLimit | None = None
    seven_day: RateLimit | None = None

    def live(self, now: float) -> dict[str, RateLimit]:
        """The limits with a valid number at `now`, by display name: after a reset the client repeats the old one."""
        limits = {"5h": self.five_hour, "7d": self.seven_day}
        return {
            name: limit
            for name, limit in limits.items()
            if limit and limit.used_percentage is not None and (limit.resets_at is None or limit.resets_at > now)
        }


class RateSample(msgspec.Struct, frozen=True, array_like=True):
    """The usage of a limit, and when it was first reported."""

    sampled_at: float
    """Epoch seconds."""
    used: float
    """Percent."""
    resets_at: float
    """Epoch seconds."""


RateSamples = dict[str, tuple[RateSample, ...]]
"""Samples by the limit's name, the oldest first."""
_LENGTHS = {"5h": 5 * 3600, "7d": 7 * 24 * 3600}
"""Seconds of each limit."""
_SPACING = 1 / 30
"""The fraction of a limit's length between two samples, and the least for computing its pace: 10 minutes of five hours,
5.6 hours of seven days."""
_LEAST_RISE = 2
"""The percentage points that must have been used in that time: the client gives whole percents."""
SAME_RESET_SECONDS = 120


def limits_of(block: Any) -> RateLimits:
    """The limits in the client's block; one of another type is left out alone."""
    return record(msgspec.json.encode(block), RateLimits) if isinstance(block, dict) else RateLimits()


def updated_samples(before: RateSamples, limits: RateLimits, now: float) -> RateSamples:
    """The samples with `limits` added at `now`: few, far enough apart, and each with more usage than the one before."""
    result = dict(before)
    for name, limit in limits.live(now).items():
        if limit.resets_at is None or limit.used_percentage is None:
            continue
        earlier, apart = before.get(name, ()), _LENGTHS[name] * _SPACING
        last = earlier[-1] if earlier and _is_of_run(earlier[-1], limit) else None
        if last is None or (now - last.sampled_at >= apart and limit.used_percentage > last.used):
            result[name] = (*earlier, RateSample(now, limit.used_percentage, limit.resets_at))[-MOST_SAMPLES:]
    return result


def full_at(name: str, limit: RateLimit, samples: Sequence[RateSample], now: float) -> float | None:
    """Epoch seconds when a limit is full at the pace of its samples up to `now`; None if unknown or it resets first."""
    recent = list(takewhile(lambda sample: _is_of_run(sample, limit), reversed(samples[-PACE_SAMPLES:])))
    if not recent or limit.used_percentage is None or limit.resets_at is None:
        return None
    seconds, rise = now - recent[-1].sampled_at, limit.used_percentage - recent[-1].used
    if seconds < _LENGTHS[name] * _SPACING or rise < _LEAST_RISE:
        return None
    at = now + max(0.0, 100 - limit.used_percentage) * seconds / rise
    return at if at < limit.resets_at else None


def _is_of_run(sample: RateSample, limit: RateLimit) -> bool:
    """Whether a sample is newer than the limit's last reset, and from the same account."""
    is_same = abs(sample.resets_at - (limit.resets_at or 0)) <= SAME_RESET_SECONDS
    return is_same and sample.used <= (limit.used_percentage or 0)
