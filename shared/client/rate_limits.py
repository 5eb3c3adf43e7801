"""The account's rate limits, as the client gives them to its status line, and when they will be used up."""

from collections.abc import Sequence
from itertools import takewhile
from typing import Annotated, Any

import msgspec

from shared.files.lenient import LenientRecord, record
from shared.text.quantities import round_half_up

Amount = Annotated[float, msgspec.Meta(ge=0, le=10**15)]
MOST_SAMPLES, PACE_SAMPLES = 60, 6
"""Samples of one limit that are stored, for the history's next sync as well, and those that tell its pace."""

REPORT_FROM, REPORT_STEP = 90, 5
"""Percent used from which the agent gets a message, and the points after which it gets another."""


class RateLimit(LenientRecord):
    """How much of one limit is used."""

    used_percentage: Amount | None = None
    resets_at: Amount | None = None
    """Epoch seconds."""

    @property
    def used(self) -> int:
        """Percent, rounded halves up; 0 where it isn't known."""
        return round_half_up(self.used_percentage or 0)


class RateLimits(LenientRecord):
    """The limits of an account that has any."""

    five_hour: RateLimit | None = None
    seven_day: RateLimit | None = None

    def live(self, now: float) -> dict[str, RateLimit]:
        """The limits whose numbers hold at `now`, by the name that a person knows them by.

        Past its reset the client only repeats a limit's old number.
        """
        limits = {"5h": self.five_hour, "7d": self.seven_day}
        return {
            name: limit
            for name, limit in limits.items()
            if limit and limit.used_percentage is not None and (limit.resets_at is None or limit.resets_at > now)
        }


class RateSample(msgspec.Struct, frozen=True, array_like=True):
    """What was used of a limit, and when that was first reported."""

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
"""The part of a limit's length between two samples, and the least from which its pace is worked out: 10 minutes of five
hours, 5.6 hours of seven days."""
_LEAST_RISE = 2
"""Points that must have been used meanwhile: the client gives whole percents."""
SAME_RESET_SECONDS = 120


def limits_of(block: Any) -> RateLimits:
    """The limits in a block as the client gave it; one of another type costs itself alone."""
    return record(msgspec.json.encode(block), RateLimits) if isinstance(block, dict) else RateLimits()


def sampled(before: RateSamples, limits: RateLimits, now: float) -> RateSamples:
    """The samples after `limits` came at `now`: few and far enough apart, each of more than was used before it."""
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
    """When a limit is used up at the pace of its newest samples; None when it resets before, or nothing tells.

    Epoch seconds. The pace is that up to `now`: who pauses slows it down.
    """
    recent = list(takewhile(lambda sample: _is_of_run(sample, limit), reversed(samples[-PACE_SAMPLES:])))
    if not recent or limit.used_percentage is None or limit.resets_at is None:
        return None
    seconds, rise = now - recent[-1].sampled_at, limit.used_percentage - recent[-1].used
    if seconds < _LENGTHS[name] * _SPACING or rise < _LEAST_RISE:
        return None
    at = now + max(0.0, 100 - limit.used_percentage) * seconds / rise
    return at if at < limit.resets_at else None


def _is_of_run(sample: RateSample, limit: RateLimit) -> bool:
    """Whether a sample is from after the limit's last reset, and of the same account."""
    is_same = abs(sample.resets_at - (limit.resets_at or 0)) <= SAME_RESET_SECONDS
    return is_same and sample.used <= (limit.used_percentage or 0)
