"""Decide whether the bridge or the transcript's tail is newer."""

from shared.files.lenient import epoch_of
from shared.gauge import bridge as bridges
from shared.gauge.bridge import Bridge
from shared.transcript.tail import Tail

DRAW_SECONDS = 1.0
"""Seconds after an answer within which the client draws the line, even on a busy machine."""


def is_current(bridge: Bridge, now: float, tail: Tail) -> bool:
    """Whether the bridge is fresh and the transcript has nothing newer than its sample, or it shows a rewind."""
    if _is_of_rewind(bridge, now, tail):
        return True
    if _is_of_earlier_answer(bridge, tail) or not bridges.is_fresh(bridge, now, tail.size):
        return False
    after = bridge.timestamp + 1  # in whole seconds: the sample may be up to one second newer
    return bridge.transcript_size is not None or all((epoch_of(stamp) or 0) <= after for stamp in _newest_stamps(tail))


def _is_of_rewind(bridge: Bridge, now: float, tail: Tail) -> bool:
    """Whether the bridge's sample shows a rewind, which the transcript doesn't until the next prompt is in it.

    A window shrinks by a compaction, which a boundary shows, or by a rewind. After a rewind the sample is the newest
    figure, however old it is and whatever the client has noted since: the last answer is on the abandoned branch.
    """
    if bridge.tokens is None or tail.tokens is None or bridge.tokens >= tail.tokens:
        return False
    sampled = [epoch_of(stamp) for stamp in _newest_stamps(tail)]
    is_later = all(stamp is not None and stamp + 1 <= bridge.timestamp for stamp in sampled)
    return is_later and bridge.timestamp <= now + bridges.FRESH_SECONDS


def _is_of_earlier_answer(bridge: Bridge, tail: Tail) -> bool:
    """Whether the bridge has the tokens of an answer before the newest one.

    A line that the client writes between its payload and our reading of the file's size is included in that size, but
    not in the sample (docs/client.md, "Order and delay"). A bridge written later than that shows a rewind.
    """
    earlier = {answer.tokens for answer in tail.answers[1:]}
    if bridge.tokens == tail.tokens or bridge.tokens not in earlier:
        return False
    answered_at, drawn_at = epoch_of(tail.answers[0].timestamp), bridge.written_at
    return answered_at is not None and drawn_at is not None and drawn_at < answered_at + DRAW_SECONDS


def _newest_stamps(tail: Tail) -> list[str]:
    """The timestamps of the newest answer and the newest compaction, in ISO 8601."""
    compactions = [tail.compaction.timestamp] if tail.compaction else []
    return [answer.timestamp for answer in tail.answers[:1]] + compactions
