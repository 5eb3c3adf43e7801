"""Segments on the session's spending: of the account's rate limits, money and time."""

from shared.client.rate_limits import RateLimit, full_at
from shared.text.quantities import duration_text
from statusline.measuring.status import Status
from statusline.segment import Form, Part, Segment

LIMITS_IMPORTANCE, LIMITS_URGENT = 66, 80
WARNING, CRITICAL = 70, 90
"""Percent of a limit from which it is coloured; the names of the window's levels are not used for it."""
_FORESEEN = 50
"""Percent of a limit from which the line says when it will be used up."""


def limits(status: Status) -> Segment | None:
    """The account's rate limits: how much of each is used, the time to its reset, and when it runs out before that."""
    rates = status.payload.rate_limits
    live = rates.live(status.now) if rates else {}
    if not live:
        return None
    importance = LIMITS_URGENT if any(limit.used >= WARNING for limit in live.values()) else LIMITS_IMPORTANCE
    used = [_used(name, limit) for name, limit in live.items()]
    until = [_until(name, limit, status) for name, limit in live.items()]
    return (
        Form(importance + 4, _joined(used)),
        Form(importance, _joined([(*parts, *more) for parts, more in zip(used, until, strict=True)])),
    )


def cost(status: Status) -> Segment | None:
    """What the session has cost so far, as the client counts it."""
    dollars = status.payload.cost and status.payload.cost.total_cost_usd
    if not dollars:
        return None
    return (Form(42, (Part(f"${dollars:,.2f}" if dollars >= 0.005 else "<$0.01"),)),)


def duration(status: Status) -> Segment | None:
    """How long the session has lasted."""
    milliseconds = status.payload.cost and status.payload.cost.total_duration_ms
    if not milliseconds or milliseconds < 1000:
        return None
    return (Form(25, (Part(duration_text(milliseconds / 1000), "dim"),)),)


def _used(name: str, limit: RateLimit) -> tuple[Part, ...]:
    role = "critical" if limit.used >= CRITICAL else "warning" if limit.used >= WARNING else "text"
    return Part(f"{name} ", "dim"), Part(f"{limit.used}%", role)


def _until(name: str, limit: RateLimit, status: Status) -> tuple[Part, ...]:
    """The time to the reset, and the time until the limit is used up if that comes first."""
    if not limit.resets_at:
        return ()
    reset = Part(f" ↻{duration_text(limit.resets_at - status.now)}", "dim")
    full = full_at(name, limit, status.samples.rate_samples.get(name, ()), status.now)
    if full is None or limit.used < _FORESEEN:
        return (reset,)
    return Part(f" full in {duration_text(full - status.now)}"), reset


def _joined(texts: list[tuple[Part, ...]]) -> tuple[Part, ...]:
    first, *others = texts
    return sum(((Part("  "), *other) for other in others), first)
