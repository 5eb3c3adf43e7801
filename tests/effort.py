"""How much is tried: a bounded run beside the other tests, a long one by TORTURE=1."""

import os

IS_LONG = bool(os.environ.get("TORTURE"))


def times(short: int, long: int) -> int:
    """How often to try, or in which steps, in a short run and in a long one."""
    return long if IS_LONG else short
