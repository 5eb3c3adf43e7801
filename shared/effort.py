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
"""The same in starts of the interpreter, which take longer on a machine on which everything does."""
_until = math.inf


@contextmanager
def limited(start: float = 0.0) -> Iterator[None]:
    """Bound the time from here on: else there is no bound. `start` is what the interpreter took, in seconds."""
    global _until  # noqa: PLW0603  the processor time is the process's, and so is what is left of it
    before, _until = _until, time.process_time() + max(SECONDS, STARTS * start)
    try:
        yield
    finally:
        _until = before


def is_over() -> bool:
    """Whether the time is over."""
    return time.process_time() > _until
