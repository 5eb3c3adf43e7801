"""The pivot's state of a session: how full it was, the thresholds it has reached, and its last pivot."""

from datetime import UTC, datetime

import msgspec

from monitor.memory import memory as memories
from monitor.memory.memory import LastPivot, PivotState
from monitor.memory.reminder import Reminder
from monitor.session import Session
from shared.client import models
from shared.gauge.levels import Level, PivotLevel, percent_of
from shared.gauge.verdict import Verdict
from shared.gauge.window import Reading

_TOKENS_PER_CALL = 500
"""Tokens that a tool call counts as without a measurement."""


class SessionUsage(msgspec.Struct, frozen=True):
    used: float
    """Percent of the window, 0 to 100."""
    tokens: int
    window: int
    """Tokens; the standard size if unknown."""
    source: str
    """`bridge`, `transcript` or `tool_calls`."""
    tool_calls: int
    """Counted tool calls of the whole session."""
    age: float = 0.0
    """Seconds since these numbers were sampled."""


def read(root: str, session_id: str) -> PivotState | None:
    """The stored state; None before the session has come near a threshold."""
    state = memories.read(root, session_id).pivot_state
    return state if state.session_id == session_id else None


def record(root: str, session_id: str, pivot: LastPivot) -> None:
    """Note a session's last pivot. Raises OSError, TimeoutError."""
    with memories.locked(root, session_id) as lock:
        before = lock.memory.pivot_state
        lock.memory.pivot_state = msgspec.structs.replace(before, session_id=session_id, last_pivot=pivot)


def reset(root: str, session_id: str) -> None:
    """Forget the thresholds reached and reported, so that each is reported again. Raises OSError, TimeoutError."""
    with memories.locked(root, session_id) as lock:
        memory = lock.memory
        memory.pivot_state = msgspec.structs.replace(
            memory.pivot_state, session_id=session_id, thresholds_triggered=(), warnings_shown=0
        )
        memory.pivot, memory.pivot_notice, memory.pivot_export = Reminder(), None, ""


def with_usage(state: PivotState, session_id: str, usage: SessionUsage, session: Session) -> PivotState:
    return msgspec.structs.replace(
        state,
        session_id=session_id,
        session_start=state.session_start or time(session.now),
        tool_calls=usage.tool_calls,
        estimated_tokens=usage.tokens,
        context_percent=round(usage.used / 100, 6),
        context_source=usage.source,
        auto_export_enabled=session.config.pivot.auto_export_enabled,
    )


def time(seconds: float) -> str:
    """Epoch seconds in ISO 8601."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def pivot_level(usage: SessionUsage, verdict: Verdict | None, session: Session) -> PivotLevel:
    """The level by the percentage in use, or a higher one so that a pivot comes before the client compacts."""
    level = PivotLevel(session.config.pivot.levels.reached(usage.used))
    if verdict is None:
        return level
    if verdict.used is None:  # no percentage to go by
        return PivotLevel.NORMAL
    if verdict.level is Level.EXHAUSTED:
        return PivotLevel.EMERGENCY
    tokens, margin = verdict.tokens_left, session.config.levels.critical.compact_margin_tokens
    return max(level, PivotLevel.CRITICAL) if tokens is not None and tokens <= margin else level


def session_usage(
    reading: Reading | None, session: Session, tool_calls: int, *, is_awaited: bool = False
) -> SessionUsage:
    """The usage by `reading`, else a guess from the number of tool calls; zero if the next answer will tell."""
    size = (reading.window if reading else None) or session.config.window.size or models.STANDARD
    if reading is None:
        tokens = 0 if is_awaited else _TOKENS_PER_CALL * tool_calls
        return SessionUsage(min(100.0, 100 * tokens / size), tokens, size, "tool_calls", tool_calls)
    percent, age = percent_of(reading), max(0.0, session.now - reading.sampled_at)
    if percent is None:
        return SessionUsage(0.0, reading.tokens or 0, 0, reading.source, tool_calls, age)
    tokens = reading.tokens if reading.tokens is not None else round(percent * size / 100)
    return SessionUsage(percent, tokens, size, reading.source, tool_calls, age)
