"""The account's rate limits: how much of each is used, the time to its reset, and when it runs out before that."""

from shared.config import Config
from shared.duration import duration_text
from shared.rate_limits import RateLimit, full_at
from statusline.segment import Part, Segment, segment
from statusline.status import Status

IMPORTANCE, URGENT = 66, 80
WARNING, CRITICAL = 70, 90
"""Percent of a limit from which it is coloured; the words of the window's levels are not said of it."""
FORESEEN = 50
"""Percent from which it is said when a limit will be used up."""


def render(status: Status, config: Config) -> Segment | None:  # noqa: ARG001  every segment is called alike
    limits = status.payload.rate_limits
    live = limits.live(status.now) if limits else {}
    if not live:
        return None
    marked = any(limit.used >= WARNING for limit in live.values())
    importance = URGENT if marked else IMPORTANCE
    used = [_used(name, limit) for name, limit in live.items()]
    until = [_until(name, limit, status) for name, limit in live.items()]
    return segment(
        (importance + 4, _joined(used)),
        (importance, _joined([(*parts, *more) for parts, more in zip(used, until, strict=True)])),
    )


def _used(name: str, limit: RateLimit) -> tuple[Part, ...]:
    role = "critical" if limit.used >= CRITICAL else "warning" if limit.used >= WARNING else "text"
    return Part(f"{name} ", "dim"), Part(f"{limit.used}%", role)


def _until(name: str, limit: RateLimit, status: Status) -> tuple[Part, ...]:
    """The time to the reset, and that to the limit's end where it comes first."""
    if not limit.resets_at:
        return ()
    reset = Part(f" ↻{duration_text(limit.resets_at - status.now)}", "dim")
    full = full_at(name, limit, status.seen.rate_samples.get(name, ()), status.now)
    if full is None or limit.used < FORESEEN:
        return (reset,)
    return Part(f" full in {duration_text(full - status.now)}"), reset


def _joined(limits: list[tuple[Part, ...]]) -> tuple[Part, ...]:
    first, *others = limits
    return sum(((Part("  "), *other) for other in others), first)
