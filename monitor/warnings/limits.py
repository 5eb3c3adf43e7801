"""The second budget: the account's rate limits, told when one of them may end the work before the window does."""

import time

import msgspec

from monitor import locked_file
from monitor.session import Conversation, Session
from shared import lenient, paths
from shared.bridge import Bridge
from shared.config import Messages
from shared.rate_limits import SAME_RESET_SECONDS, TOLD_AGAIN, TOLD_FROM, RateLimit, limits_of

FRESH_SECONDS = 600
"""How old the status line's sample may be: other sessions use the same limits."""
_DAY = 24 * 3600


class ToldLimit(msgspec.Struct, frozen=True):
    """What the agent was told of one limit."""

    used: int
    """Percent."""
    resets_at: float


def due(conversation: Conversation, session: Session, bridge: Bridge | None) -> str:
    """What is to be told of the limits with this tool use; empty where there is nothing new.

    A headless session has no bridge, so nothing is known. Raises OSError or TimeoutError.
    """
    if conversation.is_subagent or bridge is None or not -60 <= session.now - bridge.timestamp <= FRESH_SECONDS:
        return ""
    live = limits_of(bridge.rate_limits).live(session.now)
    near = {name: limit for name, limit in live.items() if limit.used >= TOLD_FROM}
    if not near:
        return ""
    with locked_file.hold(paths.told_limits(session.root, conversation.session_id)) as file:
        told = lenient.decode_or(file.content, dict[str, ToldLimit], {})
        news = {name: limit for name, limit in near.items() if _is_news(limit, told.get(name))}
        if news:
            told |= {name: ToldLimit(limit.used, limit.resets_at or 0) for name, limit in news.items()}
            file.content = msgspec.json.encode(told)
    return message(news, session.config.messages, session.now) if news else ""


def message(limits: dict[str, RateLimit], settings: Messages, now: float) -> str:
    """`limits`, by their names, and the step that follows from them."""
    facts = [f"{name} limit {limit.used}% used{_reset(limit, now)}." for name, limit in limits.items()]
    step = f"ave the state to {settings.summary_file}, and tell the user when work can continue."
    return " ".join([*facts, f"Recommended: s{step}" if settings.style == "advisory" else f"S{step}"])


def _is_news(limit: RateLimit, told: ToldLimit | None) -> bool:
    if told is None or limit.used < told.used:
        return True
    is_another = abs((limit.resets_at or 0) - told.resets_at) > SAME_RESET_SECONDS
    return is_another or limit.used >= told.used + TOLD_AGAIN


def _reset(limit: RateLimit, now: float) -> str:
    """When the limit is reset, by the person's clock; with the day where that is more than a day away."""
    if limit.resets_at is None:
        return ""
    format_ = "%H:%M" if limit.resets_at - now < _DAY else "%a %H:%M"
    return f", resets {time.strftime(format_, time.localtime(limit.resets_at))}"
