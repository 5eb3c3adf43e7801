"""How much processor time a test allows: a number of seconds on an idle machine of today, more on a slower one.

A bound is there for time that grows with the square of a text, or has no end, not for the machine that tests run on.
"""

import gc
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager

_WORK_SECONDS = 0.0075
"""What `_work` takes where the bounds come from (a bare interpreter starts in 7 ms there)."""


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Fail when the block takes more of this process's processor time; a bound leaves at least three times its need."""
    slowness = _slowness()
    gc.freeze()  # a collection looks at what all the tests before have left, for a quarter of a second
    try:
        begin = time.process_time()
        yield
        took = time.process_time() - begin
    finally:
        gc.unfreeze()
    assert took < seconds * max(slowness, _slowness()), f"{took:.2f} s of processor time, {seconds} s allowed"


def allowed(seconds: float) -> float:
    """Return how many seconds of processor time that is on this machine, for a process other than the test's own."""
    return seconds * _slowness()


def _slowness() -> float:
    """How many times as long everything takes here and now; 1 where it takes less."""
    begin = time.process_time()
    _work()
    return max(1.0, (time.process_time() - begin) / _WORK_SECONDS)


def _work() -> None:
    pattern = re.compile(r"(\w+)=(\d+)")
    counts: dict[str, int] = {}
    for number in range(6_000):
        match = pattern.search(f"line {number % 97}: name{number}={number}")
        assert match
        name, value = match.groups()
        counts[name[-2:]] = counts.get(name[-2:], 0) + int(value)
