"""Limits on a test's processor time, in seconds on a current idle machine and scaled up on a slower one.

A limit catches quadratic or endless work, not a slow machine.
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
    """Fail when the block takes more of this process's processor time; allow at least three times the need."""
    slowness = _slowness()
    gc.freeze()  # a collection would go through what all earlier tests left, for a quarter of a second
    try:
        begin = time.process_time()
        yield
        took = time.process_time() - begin
    finally:
        gc.unfreeze()
    assert took < seconds * max(slowness, _slowness()), f"{took:.2f} s of processor time, {seconds} s allowed"


def allowed(seconds: float) -> float:
    """The limit in seconds of processor time on this machine, for a process other than the test's own."""
    return seconds * _slowness()


def _slowness() -> float:
    """The factor by which everything takes longer here and now; at least 1."""
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
