"""One installer at a time."""

import contextlib
import os
import sys
from collections.abc import Iterator

from installer.install_error import InstallError

if sys.platform != "win32":
    import fcntl


@contextlib.contextmanager
def hold(directory: str) -> Iterator[None]:
    """Keep a second installer out of this directory; a killed one leaves no file behind. Raises InstallError."""
    if sys.platform == "win32" or not os.path.isdir(directory):
        yield  # there a directory cannot be locked, and the running interpreter cannot be replaced anyway
        return
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError:
        raise InstallError(f"another installation is running in {directory}; let it finish") from None
    finally:
        os.close(descriptor)
