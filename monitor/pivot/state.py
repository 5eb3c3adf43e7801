"""The pivot's state of each session: a file that other programs may read, and that ours change in turns."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

import msgspec

from monitor import locked_file
from monitor.session import Session
from monitor.warnings.reminders import ReminderMemory
from shared import files, lenient, models, paths
from shared.levels import Level, PivotLevel, percent_of, pivot_level_of
from shared.reading import Reading
from shared.verdict import Verdict

TOKENS_PER_CALL = 500
"""What a tool call is taken for where nothing was measured."""


class SessionUsage(msgspec.Struct, frozen=True):
    """How much of the window is in use."""

    percent: float
    """0 to 100."""
    tokens: int
    window: int
    """Tokens; the standard size where it is not known."""
    source: str
    """`bridge`, `transcript` or `tool_calls`."""
    tool_calls: int
    """Of the whole session, as far as they were seen."""
    sampled_at: float
    """Epoch seconds."""


class LastPivot(msgspec.Struct, frozen=True):
    """What was last done with a session."""

    strategy: str
    timestamp: str
    """ISO 8601."""
    trigger: str
    """`critical` or `emergency`, the level that brought it, or `person` for one that was asked for."""
    files: tuple[str, ...] = ()


class SessionState(msgspec.Struct, frozen=True):
    """Of one session, as it was last seen."""

    session_id: str
    session_start: str = ""
    """ISO 8601."""
    tool_calls: int = 0
    estimated_tokens: int = 0
    """In the window: measured where that is possible."""
    context_percent: float = 0.0
    """The part of the window in use, 0 to 1."""
    context_source: str = "tool_calls"
    """`bridge`, `transcript`, or `tool_calls`, which is a guess."""
    thresholds_triggered: tuple[str, ...] = ()
    """Every level that the session has reached, in order; kept when it falls."""
    degradation_patterns: tuple[str, ...] = ()
    """Those that count, the clearest first."""
    last_pivot: LastPivot | None = None
    warnings_shown: int = 0
    auto_export_enabled: bool = True


class PivotReminder(ReminderMemory, frozen=True):
    """Which of the pivot's levels a session was last seen at and told of."""

    is_news: bool = False
    """Whether a level was reached that the person has not been told of."""
    notice: str = ""
    """What has happened since the person's last prompt, without numbers: those are measured when it is told."""


class LockedState(msgspec.Struct):
    """A session's state while this process alone may change it: set what is to change."""

    state: SessionState
    reminder: PivotReminder


@contextmanager
def hold(root: str, session_id: str) -> Iterator[LockedState]:
    """Hold the state of a session; a damaged one counts as the first. Raises OSError or TimeoutError."""
    with locked_file.hold(paths.pivot_reminder(root, session_id)) as file:
        known = read(root, session_id) or SessionState(session_id)
        held = LockedState(known, lenient.decode_or(file.content, PivotReminder, PivotReminder()))
        before = held.state
        yield held
        if held.state != before:
            files.write_atomic(paths.pivot(root, session_id), msgspec.json.encode(held.state))
        if held.reminder != PivotReminder() or file.content:
            file.content = msgspec.json.encode(held.reminder)


def read(root: str, session_id: str) -> SessionState | None:
    """The state as it stands; None when there is none, or it is damaged."""
    found = files.load(paths.pivot(root, session_id), SessionState, None)
    return found if found is not None and found.session_id == session_id else None


def is_at_rest(root: str, session_id: str) -> bool:
    """Whether no level of the pivot has been reached that a fall would have to re-arm."""
    return _reminder_of(root, session_id).is_at_rest


def record(root: str, session_id: str, pivot: LastPivot) -> None:
    """Note what was done with a session. Raises OSError, TimeoutError."""
    with hold(root, session_id) as held:
        held.state = msgspec.structs.replace(held.state, last_pivot=pivot)


def take_notice(root: str, session_id: str) -> str | None:
    """What has happened since the person's last prompt, which is then told; None without news.

    Raises OSError, TimeoutError.
    """
    if not _reminder_of(root, session_id).is_news:
        return None
    with hold(root, session_id) as held:
        notice = held.reminder.notice
        held.reminder = msgspec.structs.replace(held.reminder, is_news=False, notice="")
    return notice


def reset(root: str, session_id: str) -> None:
    """Forget which levels were reached and told: each is told again. Raises OSError, TimeoutError."""
    with hold(root, session_id) as held:
        held.state = msgspec.structs.replace(held.state, thresholds_triggered=(), warnings_shown=0)
        held.reminder = PivotReminder()


def measured(state: SessionState, usage: SessionUsage, session: Session) -> SessionState:
    """`state` with what was just measured."""
    return msgspec.structs.replace(
        state,
        session_start=state.session_start or time(session.now),
        tool_calls=usage.tool_calls,
        estimated_tokens=usage.tokens,
        context_percent=round(usage.percent / 100, 6),
        context_source=usage.source,
        auto_export_enabled=session.config.pivot.auto_export_enabled,
    )


def time(seconds: float) -> str:
    """ISO 8601 of epoch seconds."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _reminder_of(root: str, session_id: str) -> PivotReminder:
    return files.load(paths.pivot_reminder(root, session_id), PivotReminder, PivotReminder(), locked_file.LIMIT)


def pivot_level(usage: SessionUsage, verdict: Verdict | None, session: Session) -> PivotLevel:
    """The pivot's level: by the percentage in use, or earlier where the window ends earlier.

    What it brings must come before the client compacts: critical no later than CRITICAL's margin before the limit,
    and emergency with EXHAUSTED.
    """
    level = pivot_level_of(usage.percent, session.config.pivot.levels)
    if verdict is None:
        return level
    if verdict.used is None:  # no percentage to go by
        return PivotLevel.NORMAL
    if verdict.level is Level.EXHAUSTED:
        return PivotLevel.EMERGENCY
    left, margin = verdict.tokens_left, session.config.levels.critical.compact_margin_tokens
    return max(level, PivotLevel.CRITICAL) if left is not None and left <= margin else level


def session_usage(reading: Reading | None, session: Session, tool_calls: int) -> SessionUsage:
    """What `reading` says; without one, a guess from the number of tool calls."""
    size = (reading.window if reading else None) or session.config.window.size or models.STANDARD
    if reading is None:
        tokens = TOKENS_PER_CALL * tool_calls
        return SessionUsage(min(100.0, 100 * tokens / size), tokens, size, "tool_calls", tool_calls, session.now)
    percent = percent_of(reading)
    if percent is None:
        tokens = reading.tokens or 0
        return SessionUsage(0.0, tokens, 0, reading.source, tool_calls, reading.sampled_at)
    tokens = reading.tokens if reading.tokens is not None else round(percent * size / 100)
    return SessionUsage(percent, tokens, size, reading.source, tool_calls, reading.sampled_at)
