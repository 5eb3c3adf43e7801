"""How much processor time a process may take for what others have written: transcripts, and a repository's files.

Most of it costs a known time for each byte. Some is made to cost more, in ways that nobody has thought of: so whoever
reads on asks here, and leaves the rest out once the time is over.
"""

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager

SECONDS = 0.6
"""Genuine sessions need a third of it. The client, and so the agent, waits for its hooks."""
STARTS = 30
"""Starts of the interpreter that fit in at least, however slow the machine is."""
_until = math.inf
_has_omission = False


@contextmanager
def limited(start: float = 0.0) -> Iterator[None]:
    """Bound the time from here on: else there is no bound. `start` is what the interpreter took, in seconds."""
    global _until, _has_omission  # noqa: PLW0603  the processor time is the process's, and so is what is left of it
    before, _until = _until, time.process_time() + max(SECONDS, STARTS * start)
    _has_omission = False
    try:
        yield
    finally:
        _until = before


def left() -> float:
    """Seconds until it is over; infinite without a bound."""
    return _until - time.process_time()


def is_over() -> bool:
    """Whether whoever asks is to leave out the rest."""
    if time.process_time() <= _until:
        return False
    omit()
    return True


def omit() -> None:
    """Note that something is left out for want of time."""
    global _has_omission  # noqa: PLW0603  see above
    _has_omission = True


def has_omission() -> bool:
    """Whether something has been left out since the bound began; time that is over when all is done leaves out none."""
    return _has_omission
