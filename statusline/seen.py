"""What the status line keeps of a session from one redraw to the next: its limits, its compactions.

Not in the bridge, which goes with each compaction.
"""

import os
import time

import msgspec

from shared import files, paths
from shared.rate_limits import RateLimits, RateSamples, changed, sampled
from statusline.compactions import CompactionCount, count
from statusline.payload import Payload
from statusline.transcript_stat import TranscriptStat

UNSAVED_BYTES = 64 << 10
"""Of a transcript that may be read once more at the next redraw, rather than written down now."""


class SessionSeen(msgspec.Struct, frozen=True, omit_defaults=True):
    """What was seen of one session so far."""

    rate_samples: RateSamples = {}
    limit_changes: RateSamples = {}
    """For the history alone (history.limits), and only where there is one."""
    compactions: CompactionCount = CompactionCount()


def update(payload: Payload, transcript: TranscriptStat, root: str) -> SessionSeen:
    """What is seen with this redraw. What cannot be read or written costs itself, never the line."""
    session_id = payload.session_id or ""
    if not paths.is_id(session_id):
        return SessionSeen()
    path = paths.seen(root, session_id)
    before = files.load(path, SessionSeen, SessionSeen())
    compactions = before.compactions
    if transcript.size >= 0:
        try:
            compactions = count(transcript.path, transcript.size, compactions)
        except OSError:  # of another user, or gone since
            compactions = CompactionCount()
    limits, at = payload.rate_limits or RateLimits(), time.time()
    changes = changed(before.limit_changes, limits, at)
    if changes != before.limit_changes and not os.path.exists(paths.history_store(root)):
        changes = {}
    now = SessionSeen(sampled(before.rate_samples, limits, at), changes, compactions)
    if _differs(before, now):
        try:
            files.write_atomic(path, msgspec.json.encode(now))
        except OSError:  # a home that cannot be written to: doctor tells
            pass
    return now


def _differs(before: SessionSeen, now: SessionSeen) -> bool:
    """Whether `now` is worth writing down."""
    ahead = now.compactions.offset - before.compactions.offset
    is_recounted = now.compactions.number != before.compactions.number or not 0 <= ahead < UNSAVED_BYTES
    are_limits_new = now.rate_samples != before.rate_samples or now.limit_changes != before.limit_changes
    return is_recounted or are_limits_new
