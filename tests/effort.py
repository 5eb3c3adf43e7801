"""How much is tried: a bounded run beside the other tests, a long one by TORTURE=1."""

import os
import sys

IS_LONG = bool(os.environ.get("TORTURE"))


def times(short: int, long: int) -> int:
    """How often to try, or in which steps, in a short run and in a long one."""
    return long if IS_LONG else short


def share(part: int) -> slice:
    """Of a list of cases one in so many, other ones on each Python; all of them in a long run."""
    step = times(part, 1)
    return slice(sys.version_info.minor * 5 % step, None, step)
