"""One installer at a time."""

import contextlib
import os
import sys
from collections.abc import Iterator

from installer.install_error import InstallError
from shared.files.locked_file import try_lock


@contextlib.contextmanager
def locked(directory: str) -> Iterator[None]:
    """Keep a second installer out of this directory; a killed one leaves no file behind. Raises InstallError."""
    if not os.path.isdir(directory):
        yield
        return
    if sys.platform == "win32":  # there a directory cannot be opened, and an open file cannot be removed
        path, flags = os.path.join(directory, ".tidegauge.lock"), os.O_RDWR | os.O_CREAT | os.O_TEMPORARY
    else:
        path, flags = directory, os.O_RDONLY
    descriptor = os.open(path, flags)
    try:
        if not try_lock(descriptor):
            raise InstallError(f"another installation is running in {directory}; let it finish")
        yield
    finally:
        os.close(descriptor)
