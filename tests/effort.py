"""How much the property tests and attacks try: a bounded run by default, a long one with TORTURE=1."""

import os
import sys

IS_LONG = bool(os.environ.get("TORTURE"))


def times(short: int, long: int) -> int:
    """The number of tries, or the step, of a short run or a long one."""
    return long if IS_LONG else short


def share(part: int) -> slice:
    """One case in so many, different ones on each Python; all of them in a long run."""
    step = times(part, 1)
    return slice(sys.version_info.minor * 5 % step, None, step)
