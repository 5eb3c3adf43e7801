"""The pivot's state of each session: a file that other programs may read, and that ours change in turns."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

import msgspec

from monitor import locked_file
from monitor.pivot.crossing import Crossing
from monitor.pivot.usage import Usage
from monitor.session import Session
from shared import files, paths


class LastPivot(msgspec.Struct, frozen=True):
    """What was last done with a session."""

    strategy: str
    timestamp: str
    """ISO 8601."""
    trigger: str
    """`emergency`, or `person` for one that was asked for."""
    files: tuple[str, ...] = ()


class State(msgspec.Struct, frozen=True):
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
    """The clearest first."""
    last_pivot: LastPivot | None = None
    warnings_shown: int = 0
    auto_export_enabled: bool = True


class Held(msgspec.Struct):
    """A session's state while this process alone may change it: set what is to change."""

    state: State
    crossing: Crossing


@contextmanager
def hold(root: str, session_id: str) -> Iterator[Held]:
    """Hold the state of a session; a damaged one counts as the first. Raises OSError or TimeoutError."""
    with locked_file.hold(paths.pivot_crossing(root, session_id)) as file:
        known = read(root, session_id)
        held = Held(known or State(session_id), _crossing(file.content))
        before = held.state
        yield held
        if held.state != before:
            files.write_atomic(paths.pivot(root, session_id), msgspec.json.encode(held.state))
        if held.crossing != Crossing() or file.content:
            file.content = msgspec.json.encode(held.crossing)


def read(root: str, session_id: str) -> State | None:
    """The state as it stands; None when there is none, or it is damaged."""
    document = files.read_or_none(paths.pivot(root, session_id))
    try:
        found = None if document is None else msgspec.json.decode(document, type=State)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None
    return found if found is not None and found.session_id == session_id else None


def record(root: str, session_id: str, pivot: LastPivot) -> None:
    """Note what was done with a session. Raises OSError, TimeoutError."""
    with hold(root, session_id) as held:
        held.state = msgspec.structs.replace(held.state, last_pivot=pivot)


def take_notice(root: str, session_id: str) -> str:
    """What the person is still to be told, which is then told. Raises OSError, TimeoutError."""
    if b'"notice":"' not in (files.read_or_none(paths.pivot_crossing(root, session_id)) or b""):
        return ""
    with hold(root, session_id) as held:
        notice = held.crossing.notice
        held.crossing = msgspec.structs.replace(held.crossing, notice="")
    return notice


def reset(root: str, session_id: str) -> None:
    """Forget which levels were reached and told: each is told again. Raises OSError, TimeoutError."""
    with hold(root, session_id) as held:
        held.state = msgspec.structs.replace(held.state, thresholds_triggered=(), warnings_shown=0)
        held.crossing = Crossing()


def measured(state: State, usage: Usage, session: Session) -> State:
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


def _crossing(document: bytes) -> Crossing:
    try:
        return msgspec.json.decode(document, type=Crossing)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return Crossing()
