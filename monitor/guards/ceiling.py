"""The ceiling guard: capabilities are not loaded speculatively into a window that is filling up.

Agents and skills are what it gates, because a window can be cleared up without them; what leads back under
the ceiling always passes. Whatever can't be measured passes too.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from monitor.guards import messages
from monitor.hook import Reply
from monitor.measuring.measurement import transcript_reading
from monitor.session import Conversation, Session
from shared import client, files, models, paths, window
from shared.plain import plain
from shared.timestamp import epoch_of

RECOVERY = frozenset(
    {"context-summarization", "context-loading-protocol", "continue", "review-summary", "session-review"}
)
"""Skills that make room or carry the work over."""
ORCHESTRATOR = "token-limit-pivot-orchestrator"
"""Our own agent, which sees to a session near its end (monitor/companions)."""
_CHUNKED_SECONDS = 2 * 3600
"""For how long subagents pass after a pivot that hands the work to them."""
WINDOW, PERCENTAGE, SWITCH, STRICT = (
    "DEV_TEAM_CONTEXT_WINDOW",
    "DEV_TEAM_CONTEXT_CEILING_PCT",
    "DEV_TEAM_CONTEXT_CEILING",
    "DEV_TEAM_CONTEXT_STRICT",
)
"""Variables of an older guard, which people have set: they stand beside our own settings, and win."""

_MOST_DIGITS = 12


class _LastPivot(msgspec.Struct, frozen=True):
    """Of the pivot's state (monitor/pivot/state.py) what this guard needs."""

    strategy: str = ""
    timestamp: str = ""


class _PivotState(msgspec.Struct, frozen=True):
    last_pivot: _LastPivot | None = None


class Ceiling(msgspec.Struct, frozen=True):
    """The ceiling in force."""

    percentage: int
    """Percent of the window, rounded down, from which on nothing is loaded."""
    max_tokens: int | None
    """Tokens from which on nothing is loaded, whatever the percentage."""
    is_strict: bool
    """Whether the tool is kept from running, where the window's size is a fact."""


def check(
    tool: str, arguments: Mapping[str, Any], conversation: Conversation, tool_use_id: str, session: Session
) -> Reply | None:
    """A warning or a block for a capability that is loaded at or above the ceiling; None lets it pass."""
    environ = session.environ
    is_way_back = _is_recovery(arguments) or (tool != client.SKILL and _is_chunked(session, conversation.session_id))
    if environ.get(SWITCH, "").lower() == "off" or is_way_back:
        return None
    size = _number(environ.get(WINDOW), window.LARGEST)
    reading = transcript_reading(conversation, session, tool_use_id, window_size=size)
    ceiling = ceiling_of(session)
    if reading is None or not reading.tokens:
        return None
    used = reading.tokens * 100 // (reading.window or models.STANDARD)
    is_over = reading.window is not None and used >= ceiling.percentage
    if not is_over and (ceiling.max_tokens is None or reading.tokens < ceiling.max_tokens):
        _rearm(session.root, conversation.id)
        return None
    is_blocked = ceiling.is_strict and window.certainty_of(reading.window_source) == "known"
    text = messages.ceiling(tool, _name(arguments), reading, ceiling.percentage, is_blocked=is_blocked)
    if is_blocked:
        return Reply(stderr=text, is_blocking=True)
    if not _is_new(session.root, conversation.id, used):
        return None
    return Reply(context=text, notice=text, stderr=text)


def ceiling_of(session: Session) -> Ceiling:
    """The ceiling that the environment and the settings name."""
    settings, environ = session.config.ceiling, session.environ
    return Ceiling(
        percentage=_number(environ.get(PERCENTAGE), 100) or settings.percentage,
        max_tokens=settings.max_tokens,
        is_strict=environ.get(STRICT, "").lower() == "on" or settings.strict,
    )


def _is_recovery(arguments: Mapping[str, Any]) -> bool:
    """Whether a skill or an agent, with or without its plugin's prefix, leads back under the ceiling."""
    names = (arguments.get(key) for key in ("skill", "name", "command"))
    if any(isinstance(name, str) and name.strip().rpartition(":")[2].lstrip("/") in RECOVERY for name in names):
        return True
    agent = arguments.get("subagent_type")
    return isinstance(agent, str) and agent.strip().rpartition(":")[2] == ORCHESTRATOR


def _is_chunked(session: Session, session_id: str) -> bool:
    """Whether the work was last cut into tasks for subagents: those that it then starts are the way back."""
    known = files.load(paths.pivot(session.root, session_id), _PivotState, None) if paths.is_id(session_id) else None
    last = known.last_pivot if known else None
    if last is None or last.strategy != "chunk":
        return False
    at = epoch_of(last.timestamp)
    return at is not None and 0 <= session.now - at < _CHUNKED_SECONDS


def _name(arguments: Mapping[str, Any]) -> str:
    """What is loaded, as the tool names it; empty when it doesn't."""
    for key in ("subagent_type", "skill", "name", "command"):
        if isinstance(name := arguments.get(key), str) and name.strip():
            return plain(name.strip(), 80)
    return ""


def _number(text: str | None, most: int) -> int | None:
    """A whole number of 1 to `most`, else None: the next source counts."""
    if not text or len(text) > _MOST_DIGITS or not (text.isascii() and text.isdecimal()):
        return None
    return int(text) if 0 < int(text) <= most else None


_POINTS = 5


def _is_new(root: str, conversation: str, used: int) -> bool:
    """Whether nothing was said yet at this height, which is remembered; `used` in percent."""
    bucket = used // _POINTS
    path = paths.ceiling_bucket(root, conversation)
    known = files.load(path, int, None)
    if known != bucket:
        files.write_atomic(path, str(bucket).encode())  # also a lower one: the next rise is told again
    return known is None or known < bucket


def _rearm(root: str, conversation: str) -> None:
    """Re-arm: the conversation is below the ceiling."""
    files.remove(paths.ceiling_bucket(root, conversation))
