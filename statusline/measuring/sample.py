"""A redraw's results for the monitor: it writes the bridge, and removes a gate that the bridge contradicts."""

from operator import attrgetter

import msgspec

from shared import gate, paths
from shared.client.rate_limits import REPORT_FROM, limits_of
from shared.files import files, pruning
from shared.gauge import bridge as bridges
from shared.gauge.bridge import Bridge, WindowNote
from shared.gauge.window import Reading, WindowSource
from shared.text.plain import plain
from statusline.measuring.measurement import usage_of
from statusline.measuring.status import Status
from statusline.payload import Verbatim

_numbers = attrgetter("usage", "context_window_size", "remaining_percentage")
_window = attrgetter("model_id", "context_window_size")


def write_bridge(status: Status, transcript_size: int, blocks: Verbatim, root: str, elsewhere: str | None) -> None:
    """Write the session's bridge, or remove it if the client has just emptied the window.

    Nulls, as at a session's start or resumption, say nothing: an earlier run's window size is still valid. `elsewhere`
    is the configured directory. If writing fails, the monitor reads the transcript, and doctor reports it.
    """
    session_id = status.payload.session_id or ""
    if not paths.is_id(session_id) or status.payload.context_window is None:
        return
    path = paths.bridge(root, session_id, elsewhere)
    reading = status.reading
    if reading is None or reading.remaining is None:
        if reading is not None or status.payload.context_window.current_usage is not None:
            files.remove(path)
        _note_window(status, root, session_id)
        return
    previous = bridges.read(path, session_id)
    bridge = _bridge(status, reading, transcript_size, blocks, previous)
    if previous is None or _is_news(previous, bridge) or _is_beyond_gate(reading, root, session_id):
        gate.remove(root, session_id)
    try:
        bridges.write(path, bridge)
    except (OSError, ValueError):  # ValueError: half an emoji, which JSON can't encode
        return
    if previous is None:
        pruning.prune(paths.run_directory(root), status.now)


def _note_window(status: Status, root: str, session_id: str) -> None:
    """Store the window's size, which the client gives although it doesn't know the usage yet."""
    window, model = status.payload.context_window, status.payload.model
    size, model_id = window and window.context_window_size, plain((model and model.id) or "")
    if size and model_id:
        try:
            bridges.write_note(root, session_id, WindowNote(model_id, size, status.now))
        except (OSError, ValueError):
            pass


def _bridge(
    status: Status, reading: Reading, transcript_size: int, blocks: Verbatim, previous: Bridge | None
) -> Bridge:
    """The bridge that replaces `previous`; equal numbers keep their sample time. `reading` must have a percentage."""
    payload = status.payload
    bridge = Bridge(
        session_id=payload.session_id or "",
        remaining_percentage=reading.remaining or 0,
        used_pct=reading.used or 0,
        timestamp=int(status.now),
        # An assumed size is left out, since the monitor would take it for the client's.
        context_window_size=None if reading.window_source == WindowSource.DEFAULT else reading.window,
        window_source=reading.window_source,
        tokens=reading.tokens,
        usage=usage_of(payload.context_window),
        model_id=plain((payload.model and payload.model.id) or "") or None,
        transcript_path=payload.transcript_path or None,
        transcript_size=transcript_size if transcript_size >= 0 else None,
        rate_limits=blocks.rate_limits,
        prompt_cache=blocks.prompt_cache,
        written_at=status.now,
    )
    if previous is None or _numbers(previous) != _numbers(bridge):
        return bridge
    sampled_at = min(int(previous.timestamp), bridge.timestamp)  # the clock may have been set back since
    return msgspec.structs.replace(bridge, timestamp=sampled_at, transcript_size=previous.transcript_size)


def _is_beyond_gate(reading: Reading, root: str, session_id: str) -> bool:
    """Whether the window is fuller than the gate allows, or less full than it was, so that a message may be due."""
    tokens, last_gate = reading.tokens, gate.read(root, session_id)
    return last_gate is not None and tokens is not None and not last_gate.tokens <= tokens < last_gate.limit


def _is_news(previous: Bridge, current: Bridge) -> bool:
    """Whether the monitor must run even without a new level: for another window, or a rate limit near its end."""
    before, now = (limits_of(bridge.rate_limits).live(current.timestamp) for bridge in (previous, current))
    near = {name: limit.used for name, limit in now.items() if limit.used >= REPORT_FROM}
    has_risen = any(name not in before or used > before[name].used for name, used in near.items())
    return has_risen or _window(previous) != _window(current)
