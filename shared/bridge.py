"""The bridge: what the status line saw last, for the monitor and for anyone who reads it.

It carries measurements, never judgements: whoever reads it computes the level, so that a changed setting
counts at once. `session_id`, `remaining_percentage`, `used_pct` and `timestamp` are the public contract.
"""

from typing import Any

import msgspec

from shared import files, lenient, paths
from shared.reading import Count, Usage, round_half_up

_LATEST = 1 << 53
"""Epoch seconds; larger numbers are none."""
SCHEMA_VERSION = 1
FRESH_SECONDS = 60
"""How old a sample may be, and how far ahead of the clock, and still be believed."""


class Bridge(msgspec.Struct, frozen=True, omit_defaults=True):
    """One sample of a session's context window."""

    session_id: str
    remaining_percentage: float | int
    """Percent of the whole window, as the client gave it."""
    used_pct: int
    """100 less the remaining percentage, rounded halves up."""
    timestamp: int | float
    """Epoch seconds at which these numbers were first seen; a redraw of the same numbers keeps it."""
    schema_version: int = 0
    """Of what follows the public contract; 0 for a bridge that another program wrote."""
    context_window_size: Count | None = None
    """Tokens."""
    window_source: str | None = None
    """Where the size came from (shared.window)."""
    tokens: Count | None = None
    """Tokens in the window."""
    usage: Usage | None = None
    model_id: str | None = None
    transcript_path: str | None = None
    transcript_size: Count | None = None
    """Bytes of the transcript when the sample was taken."""
    rate_limits: Any = None
    """As the client gave them."""
    prompt_cache: Any = None
    """As the client gave it."""
    written_at: float | None = None
    """Epoch seconds of the last write, redraws included."""


class WindowNote(msgspec.Struct, frozen=True):
    """What the client said of a session's window before it could say how full that is.

    At its first draw, and after a compaction, the status line is given a size but no usage, so there is no bridge.
    """

    model_id: str
    """As the client gave it, with `[1m]` where it has that."""
    context_window_size: Count
    """Tokens."""
    written_at: float = 0.0
    """Epoch seconds."""


class _Public(msgspec.Struct):
    """The public contract alone, for a bridge that another program wrote."""

    session_id: str
    remaining_percentage: float | int
    timestamp: float | int


def read(path: str, session_id: str) -> Bridge | None:
    """The bridge of `session_id`; None when it is missing, unreadable, another session's or lacks its numbers."""
    document = files.read_or_none(path)
    if document is None:
        return None
    found = _decoded(document)
    if found is None or found.session_id != session_id:
        return None
    # Neither holds for a NaN; and an integer may be too large for a float.
    return found if 0 <= found.remaining_percentage <= 100 and abs(found.timestamp) <= _LATEST else None


def write(path: str, bridge: Bridge) -> None:
    """Replace the bridge. Raises OSError."""
    stamped = msgspec.structs.replace(bridge, schema_version=SCHEMA_VERSION)
    files.write_atomic(path, msgspec.json.encode(stamped))


def is_fresh(bridge: Bridge, now: float, transcript_size: int) -> bool:
    """Whether the sample is at most 60 s away from `now` and the transcript has not grown past it.

    `transcript_size` is in bytes, -1 when there is no transcript.
    """
    if not abs(now - bridge.timestamp) <= FRESH_SECONDS:
        return False
    return bridge.transcript_size is None or transcript_size <= bridge.transcript_size


def written_since(found: Bridge | WindowNote, start: float) -> bool:
    """Whether it was written at or after `start`, in epoch seconds: an older one is of another run of the session."""
    if isinstance(found, WindowNote) or found.written_at is not None:
        return (found.written_at or 0) >= start
    return found.timestamp + 1 > start  # another program's, in whole seconds


def read_note(root: str, session_id: str) -> WindowNote | None:
    """The note on a session, whose id is a valid one; None when there is none."""
    return files.load(paths.window_note(root, session_id), WindowNote, None)


def write_note(root: str, session_id: str, note: WindowNote) -> None:
    """Replace the note on a session. Raises OSError."""
    files.write_atomic(paths.window_note(root, session_id), msgspec.json.encode(note))


def _decoded(document: bytes) -> Bridge | None:
    whole = lenient.decode_or(document, Bridge, None)
    if whole is not None:
        return whole
    public = lenient.decode_or(document, _Public, None)
    if public is None:
        return None
    remaining = public.remaining_percentage
    used = round_half_up(100 - remaining) if 0 <= remaining <= 100 else 0
    return Bridge(public.session_id, remaining, used, public.timestamp)


def path_of(root: str, session_id: str, directory: str | None) -> str | None:
    """Where the bridge of a session lies; None for an id that may not become a file name."""
    return paths.bridge(root, session_id, directory) if paths.is_id(session_id) else None
