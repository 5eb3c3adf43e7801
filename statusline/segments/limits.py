"""The account's rate limits, with the time until each starts anew."""

from shared.config import Config
from shared.duration import duration_text
from statusline.payload import RateLimit
from statusline.segment import Part, Segment, segment
from statusline.status import Status

IMPORTANCE, URGENT = 66, 80
WARNING, CRITICAL = 70, 90
"""Percent of a limit from which it is marked."""


def render(status: Status, config: Config) -> Segment | None:  # noqa: ARG001  every segment is called alike
    limits = status.payload.rate_limits
    if limits is None:
        return None
    named = (("5h", limits.five_hour), ("7d", limits.seven_day))
    live = [(name, limit) for name, limit in named if limit and _is_live(limit, status.now)]
    if not live:
        return None
    marked = any((limit.used_percentage or 0) >= WARNING for _, limit in live)
    importance = URGENT if marked else IMPORTANCE
    return segment(
        (importance + 4, _joined([_parts(name, limit, None) for name, limit in live])),
        (importance, _joined([_parts(name, limit, status.now) for name, limit in live])),
    )


def _is_live(limit: RateLimit, now: float) -> bool:
    """Whether the number still holds: past its reset the client only repeats the old one."""
    return limit.used_percentage is not None and (limit.resets_at is None or limit.resets_at > now)


def _parts(name: str, limit: RateLimit, now: float | None) -> tuple[Part, ...]:
    used = int((limit.used_percentage or 0) + 0.5)
    role, mark = "text", ""
    if used >= CRITICAL:
        role, mark = "critical", " [CRITICAL]"
    elif used >= WARNING:
        role, mark = "warning", " [WARNING]"
    left = f" ↻{duration_text(limit.resets_at - now)}" if now is not None and limit.resets_at else ""
    return Part(f"{name} ", "dim"), Part(f"{used}%{mark}", role), Part(left, "dim")


def _joined(limits: list[tuple[Part, ...]]) -> tuple[Part, ...]:
    first, *others = limits
    return sum(((Part("  "), *other) for other in others), first)
