"""A bound on the processor time that a process spends on foreign input: transcripts, and a repository's files.

Most input costs a known time per byte. Some is crafted to cost more, in ways that nobody has foreseen, so readers
check this bound as they go and skip the rest once the time is up.
"""

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager

SECONDS = 0.6
"""Three times what genuine sessions need. The client, and so the agent, waits for its hooks."""
STARTS = 30
"""The bound is at least the time of this many interpreter starts, however slow the machine is."""
_until = math.inf
_has_omission = False


@contextmanager
def limited(start: float = 0.0) -> Iterator[None]:
    """Bound the processor time in the block. `start` is the interpreter's start-up time, in seconds."""
    global _until, _has_omission  # noqa: PLW0603  processor time is counted per process, and so is its bound
    before, _until = _until, time.process_time() + max(SECONDS, STARTS * start)
    _has_omission = False
    try:
        yield
    finally:
        _until = before


def left() -> float:
    """Seconds left; infinite without a bound."""
    return _until - time.process_time()


def is_over(seconds: float = 0.0) -> bool:
    """Whether the time is up, or is within `seconds`: the caller must skip the rest, which is noted as an omission."""
    if time.process_time() + seconds <= _until:
        return False
    omit()
    return True


def omit() -> None:
    """Note that something is left out for lack of time."""
    global _has_omission  # noqa: PLW0603  see above
    _has_omission = True


def has_omission() -> bool:
    """Whether anything was left out since the bound began; time that runs out after the work leaves nothing out."""
    return _has_omission
