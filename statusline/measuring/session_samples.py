"""A session's rate limits and compactions, kept between redraws apart from the bridge, which a compaction removes."""

import time

import msgspec

from shared import paths
from shared.client.rate_limits import RateLimits, RateSamples, updated_samples
from shared.files import files
from shared.files.lenient import Count
from statusline.payload import Payload

UNSAVED_BYTES = 64 << 10
"""The most bytes of a transcript that the next redraw reads again, so that this one needn't write the file."""

CHUNK = 1 << 20
"""Bytes read at a time; a longer line is no boundary."""
MOST_BYTES = 8 << 20
"""The most bytes that one redraw reads, in some milliseconds. A resumed session of many MB takes several redraws."""
_BOUNDARY = b'"subtype":"compact_boundary"'
"""Text that only a compaction's line has: in a quotation of one, the quotation marks are escaped."""


class CompactionCount(msgspec.Struct, frozen=True):
    number: Count = 0
    offset: Count = 0
    """Bytes of the transcript that have been read."""
    is_whole: bool = False
    """Whether that was the whole transcript: a partial number would be wrong."""


class SessionSamples(msgspec.Struct, frozen=True, omit_defaults=True):
    """Samples of one session, from its first redraw to the newest."""

    rate_samples: RateSamples = {}
    """Samples for the pace of each limit, and for the history (history.limits)."""
    compactions: CompactionCount = CompactionCount()


def update(payload: Payload, transcript_size: int, root: str) -> SessionSamples:
    """The samples after this redraw. If a file can't be read or written, only its data is lost, never the line."""
    session_id = payload.session_id or ""
    if not paths.is_id(session_id):
        return SessionSamples()
    path = paths.session_samples(root, session_id)
    before = files.load(path, SessionSamples, SessionSamples())
    compactions = before.compactions
    if transcript_size >= 0:
        try:
            compactions = count_compactions(payload.transcript_path or "", transcript_size, compactions)
        except OSError:  # another user's, or gone since
            compactions = CompactionCount()
    limits = payload.rate_limits or RateLimits()
    now = SessionSamples(updated_samples(before.rate_samples, limits, time.time()), compactions)
    if _is_worth_saving(before, now):
        try:
            files.write_atomic(path, msgspec.json.encode(now))
        except OSError:  # the home can't be written to: doctor reports it
            pass
    return now


def count_compactions(path: str, size: int, before: CompactionCount) -> CompactionCount:
    """Continue the count `before` up to `size` bytes of a transcript, or from 0 if it has shrunk. Raises OSError."""
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


def _is_worth_saving(before: SessionSamples, now: SessionSamples) -> bool:
    ahead = now.compactions.offset - before.compactions.offset
    is_recounted = now.compactions.number != before.compactions.number or not 0 <= ahead < UNSAVED_BYTES
    return is_recounted or now.rate_samples != before.rate_samples
