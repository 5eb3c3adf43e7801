"""One installer at a time."""

import contextlib
import os
import sys
from collections.abc import Iterator

from installer.refusal import Refusal

if sys.platform != "win32":
    import fcntl


@contextlib.contextmanager
def hold(directory: str) -> Iterator[None]:
    """Keep a second installer out of this directory, without a file that a killed one would leave. Raises Refusal."""
    if sys.platform == "win32" or not os.path.isdir(directory):
        yield  # there a directory cannot be locked, and the running interpreter cannot be replaced anyway
        return
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError:
        raise Refusal(f"another installation is at work in {directory}; let it finish") from None
    finally:
        os.close(descriptor)
