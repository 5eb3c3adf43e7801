"""What the status line keeps of a session from one redraw to the next: its limits, its compactions.

Not in the bridge, which goes with each compaction.
"""

import time

import msgspec

from shared import paths
from shared.client.rate_limits import RateLimits, RateSamples, sampled
from shared.files import files
from shared.files.lenient import Count
from statusline.payload import Payload

UNSAVED_BYTES = 64 << 10
"""The most of a transcript that is read once more at the next redraw, rather than written down now."""

CHUNK = 1 << 20
"""Bytes that are read at a time; a longer line is no boundary."""
MOST_BYTES = 8 << 20
"""That one redraw reads: some milliseconds. A resumed session of many MB is counted by several."""
_BOUNDARY = b'"subtype":"compact_boundary"'
"""What a compaction's line alone has: in a text that quotes one, its quotation marks are escaped."""


class CompactionCount(msgspec.Struct, frozen=True):
    number: Count = 0
    offset: Count = 0
    """Bytes of the transcript that have been counted."""
    is_whole: bool = False
    """Whether that was all of the transcript: a smaller number would be wrong."""


class SessionSamples(msgspec.Struct, frozen=True, omit_defaults=True):
    """Samples of one session, from its first redraw to the newest."""

    rate_samples: RateSamples = {}
    """For the pace of each limit, and for the history (history.limits)."""
    compactions: CompactionCount = CompactionCount()


def update(payload: Payload, transcript_size: int, root: str) -> SessionSamples:
    """The samples after this redraw. What cannot be read or written costs itself, never the line."""
    session_id = payload.session_id or ""
    if not paths.is_id(session_id):
        return SessionSamples()
    path = paths.session_samples(root, session_id)
    before = files.load(path, SessionSamples, SessionSamples())
    compactions = before.compactions
    if transcript_size >= 0:
        try:
            compactions = count_compactions(payload.transcript_path or "", transcript_size, compactions)
        except OSError:  # of another user, or gone since
            compactions = CompactionCount()
    limits = payload.rate_limits or RateLimits()
    now = SessionSamples(sampled(before.rate_samples, limits, time.time()), compactions)
    if _differs(before, now):
        try:
            files.write_atomic(path, msgspec.json.encode(now))
        except OSError:  # a home that cannot be written to: doctor tells
            pass
    return now


def count_compactions(path: str, size: int, before: CompactionCount) -> CompactionCount:
    """The count after `before`, of a transcript of `size` bytes; a shorter one than before is counted from its start.

    Raises OSError.
    """
    number, at = (before.number, before.offset) if before.offset <= size else (0, 0)
    end, is_whole = min(size, at + MOST_BYTES), False
    with open(files.open_regular(path), "rb", buffering=0) as file:
        file.seek(at)
        while at < end and (chunk := file.read(min(CHUNK, size - at))):
            lines = chunk.rfind(b"\n") + 1
            if not lines and len(chunk) < CHUNK:  # a line that is still being written
                is_whole = True
                break
            number += chunk[:lines].count(_BOUNDARY)
            at += lines or len(chunk)
            file.seek(at)
    return CompactionCount(number, at, is_whole or at == size)


def _differs(before: SessionSamples, now: SessionSamples) -> bool:
    """Whether `now` is worth writing down."""
    ahead = now.compactions.offset - before.compactions.offset
    is_recounted = now.compactions.number != before.compactions.number or not 0 <= ahead < UNSAVED_BYTES
    return is_recounted or now.rate_samples != before.rate_samples
