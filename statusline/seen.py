"""What the status line keeps of a session from one redraw to the next: samples of its limits, its compactions.

Not in the bridge, which goes with each compaction.
"""

import time

import msgspec

from shared import files, paths
from shared.rate_limits import RateLimits, RateSamples, sampled
from statusline.compactions import CompactionCount, count
from statusline.payload import Payload
from statusline.transcript_stat import TranscriptStat

UNSAVED_BYTES = 64 << 10
"""Of a transcript that may be read once more at the next redraw, rather than written down now."""


class SessionSeen(msgspec.Struct, frozen=True, omit_defaults=True):
    """What was seen of one session so far."""

    rate_samples: RateSamples = {}
    compactions: CompactionCount = CompactionCount()


def update(payload: Payload, transcript: TranscriptStat, root: str) -> SessionSeen:
    """What is seen with this redraw; what cannot be written down is lost to the next. Raises OSError."""
    session_id = payload.session_id or ""
    if not paths.is_id(session_id):
        return SessionSeen()
    path = paths.seen(root, session_id)
    before = files.load(path, SessionSeen, SessionSeen())
    compactions = before.compactions
    if transcript.size >= 0:
        compactions = count(transcript.path, transcript.size, before.compactions)
    samples = sampled(before.rate_samples, payload.rate_limits or RateLimits(), time.time())
    now = SessionSeen(samples, compactions)
    if _differs(before, now):
        files.write_atomic(path, msgspec.json.encode(now))
    return now


def _differs(before: SessionSeen, now: SessionSeen) -> bool:
    """Whether `now` is worth writing down."""
    ahead = now.compactions.offset - before.compactions.offset
    is_recounted = now.compactions.number != before.compactions.number or not 0 <= ahead < UNSAVED_BYTES
    return is_recounted or now.rate_samples != before.rate_samples
