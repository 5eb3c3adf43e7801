"""The second budget: the account's rate limits, reported when one of them may end the work before the window does."""

import time

from monitor.hook import Message
from monitor.measuring.snapshot import Snapshot
from monitor.memory.memory import Memory, NotifiedLimit
from monitor.memory.reminder import has_risen_by
from shared.client.rate_limits import REPORT_FROM, REPORT_STEP, SAME_RESET_SECONDS, RateLimit, limits_of
from shared.settings.config import Messages

FRESH_SECONDS = 600
"""The greatest age of the status line's sample, in seconds: other sessions use the same limits."""
SAVE_FROM = 97
"""Percent from which the state should be saved: until then the work can continue, and the fact is enough."""


def report_limits(snapshot: Snapshot, memory: Memory) -> Message | None:
    """Return a message on the limits to report. A headless session has no bridge, so its limits are unknown."""
    news = news_of(snapshot, memory)
    if not news:
        return None
    own = {name: NotifiedLimit(limit.used, limit.resets_at or 0) for name, limit in news.items()}
    memory.limits = {**memory.limits, **own}
    return Message(message(news, snapshot.session.config.messages, snapshot.session.now))


def news_of(snapshot: Snapshot, memory: Memory) -> dict[str, RateLimit]:
    """The limits to report, by name."""
    bridge, session = snapshot.bridge, snapshot.session
    if snapshot.conversation.is_subagent or bridge is None or not session.config.hooks.context_warnings:
        return {}
    if not bridge.rate_limits or not -60 <= session.now - bridge.timestamp <= FRESH_SECONDS:
        return {}
    limits = limits_of(bridge.rate_limits).live(session.now)
    return {name: limit for name, limit in limits.items() if _is_new(limit, memory.limits.get(name))}


def message(limits: dict[str, RateLimit], settings: Messages, now: float) -> str:
    """The text on `limits`, by name, with the next step near the end of one. `now` is in epoch seconds."""
    facts = [f"{name} limit {limit.used}% used{_reset(limit, now)}." for name, limit in limits.items()]
    if max(limit.used for limit in limits.values()) < SAVE_FROM:
        return " ".join(facts)
    step = f"ave the state to {settings.summary_file}, and tell the user when work can continue."
    return " ".join([*facts, f"Suggested: s{step}" if settings.style == "advisory" else f"S{step}"])


def _is_new(limit: RateLimit, before: NotifiedLimit | None) -> bool:
    if before is None or limit.used < max(before.used, REPORT_FROM):
        return limit.used >= REPORT_FROM
    is_another = abs((limit.resets_at or 0) - before.resets_at) > SAME_RESET_SECONDS
    return is_another or has_risen_by(limit.used, before.used, REPORT_STEP)


def _reset(limit: RateLimit, now: float) -> str:
    """The time of the limit's reset by the person's clock, with the weekday if it is more than a day away."""
    if limit.resets_at is None:
        return ""
    format_ = "%H:%M" if limit.resets_at - now < 24 * 3600 else "%a %H:%M"
    return f", resets {time.strftime(format_, time.localtime(limit.resets_at))} local time"
