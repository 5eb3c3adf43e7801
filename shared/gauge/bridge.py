"""The bridge: the status line's newest sample, for the monitor and any other reader.

It carries measurements, never judgements: each reader computes the level, so that a changed setting
counts at once. `session_id`, `remaining_percentage`, `used_pct` and `timestamp` are the public contract.
"""

from typing import Annotated, Any

import msgspec

from shared import paths
from shared.files import files, lenient
from shared.files.lenient import Count
from shared.text.quantities import round_half_up
from shared.transcript.records import Usage

_LATEST = 1 << 53
"""Epoch seconds; a larger number is no time."""
SCHEMA_VERSION = 1
FRESH_SECONDS = 60
"""How old, or how far ahead of the clock, a sample may be and still be believed."""
_WithinHundred = msgspec.Meta(ge=0, le=100)


class Bridge(msgspec.Struct, frozen=True, omit_defaults=True):
    """One sample of a session's context window."""

    session_id: str
    """The session's id, which is also in the file's name."""
    remaining_percentage: Annotated[float, _WithinHundred] | Annotated[int, _WithinHundred]
    """Percent of the whole window that is left, as the client gave it."""
    used_pct: Annotated[int, _WithinHundred]
    """100 less the remaining percentage, rounded halves up."""
    timestamp: int | float
    """Epoch seconds at which these numbers were first sampled; a redraw of the same numbers keeps it."""
    schema_version: int = 0
    """The version of this format; absent or 0 in a bridge that another program wrote."""
    context_window_size: Count | None = None
    """The window's size in tokens."""
    window_source: str | None = None
    """Where the size came from, by a name that docs/bridge.md lists."""
    tokens: Count | None = None
    """Tokens in the window: input and both sides of the cache, of the newest answer; its output is not in it."""
    usage: Usage | None = None
    """How these tokens are made up, and the newest answer's output."""
    model_id: str | None = None
    """The model's id as the client gave it, with `[1m]` where it has that."""
    transcript_path: str | None = None
    """The session's transcript."""
    transcript_size: Count | None = None
    """Bytes of the transcript when the sample was taken: a larger one holds something newer."""
    rate_limits: Any = None
    """The client's `rate_limits`, unchanged."""
    prompt_cache: Any = None
    """The client's `prompt_cache`, unchanged."""
    written_at: float | None = None
    """Epoch seconds of the last write, redraws included."""


class WindowNote(msgspec.Struct, frozen=True):
    """The client's report of a session's window while its usage is unknown.

    At its first draw, and after a compaction, the status line gets a size but no usage, so there is no bridge.
    """

    model_id: str
    """The model's id as the client gave it, with `[1m]` where it has that."""
    context_window_size: Count
    """Tokens; 0 if only the model's id is known."""
    written_at: float = 0.0
    """Epoch seconds."""


class _Public(msgspec.Struct):
    """The public contract without `used_pct`, which follows from it. Other fields may not be UTF-8 and are skipped."""

    session_id: str
    remaining_percentage: Annotated[float, _WithinHundred] | Annotated[int, _WithinHundred]
    timestamp: int | float


def read(path: str, session_id: str) -> Bridge | None:
    """The bridge of `session_id`; None if it is missing, unreadable, another session's or lacks its numbers."""
    document = files.read_or_none(path)
    if document is None:
        return None
    bridge = lenient.decode_or(document, Bridge, None) or _foreign(document)
    if bridge is None or bridge.session_id != session_id:
        return None
    # Both are false for a NaN, and an integer may be too large for a float.
    return bridge if 0 <= bridge.remaining_percentage <= 100 and abs(bridge.timestamp) <= _LATEST else None


def write(path: str, bridge: Bridge) -> None:
    """Replace the bridge. Raises OSError."""
    stamped = msgspec.structs.replace(bridge, schema_version=SCHEMA_VERSION)
    files.write_atomic(path, msgspec.json.encode(stamped))


def is_fresh(bridge: Bridge, now: float, transcript_size: int) -> bool:
    """Whether the sample is within 60 s of `now`, and the transcript has no more bytes than it had then."""
    if not abs(now - bridge.timestamp) <= FRESH_SECONDS:
        return False
    return bridge.transcript_size is None or transcript_size <= bridge.transcript_size


def written_since(file: Bridge | WindowNote, start: float) -> bool:
    """Whether `file` was written at or after `start` (epoch seconds); an older one is from an earlier run."""
    if isinstance(file, WindowNote) or file.written_at is not None:
        return (file.written_at or 0) >= start
    return file.timestamp + 1 > start  # another program's, with a timestamp in whole seconds


def read_note(root: str, session_id: str) -> WindowNote | None:
    """The note on a session, whose id must be valid; None if there is none."""
    return files.load(paths.window_note(root, session_id), WindowNote, None)


def write_note(root: str, session_id: str, note: WindowNote) -> None:
    """Replace the note on a session. Raises OSError."""
    files.write_atomic(paths.window_note(root, session_id), msgspec.json.encode(note))


def _foreign(document: bytes) -> Bridge | None:
    """Another program's bridge, read by the public contract alone."""
    public = lenient.decode_or(document, _Public, None)
    if public is None:
        return None
    remaining = public.remaining_percentage
    return Bridge(public.session_id, remaining, round_half_up(100 - remaining), public.timestamp)
