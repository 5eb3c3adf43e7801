"""One installer at a time."""

import contextlib
import os
import sys
from collections.abc import Iterator

from installer.install_error import InstallError

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl


@contextlib.contextmanager
def hold(directory: str) -> Iterator[None]:
    """Keep a second installer out of this directory; a killed one leaves no file behind. Raises InstallError."""
    if not os.path.isdir(directory):
        yield
        return
    descriptor = _open(directory)
    try:
        try:
            _lock(descriptor)
        except OSError:
            raise InstallError(f"another installation is running in {directory}; let it finish") from None
        yield
    finally:
        os.close(descriptor)


def _open(directory: str) -> int:
    if sys.platform == "win32":  # there a directory cannot be opened, and an open file cannot be removed
        return os.open(os.path.join(directory, ".tidegauge.lock"), os.O_RDWR | os.O_CREAT | os.O_TEMPORARY)
    return os.open(directory, os.O_RDONLY)


def _lock(descriptor: int) -> None:
    if sys.platform == "win32":
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
    else:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
