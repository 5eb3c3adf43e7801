"""A small file that parallel processes lock in turn."""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from shared.files import files

PATIENCE_SECONDS = 6.0
"""How long a process waits for the lock, out of the ten seconds that the client gives a hook.

Each holder takes a millisecond, but hundreds of processes may start at once.
"""
SHORTEST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 0.002, 0.016
"""Pauses between two tries. They grow, so that waiting processes leave the processor to the lock's holder.

The kernel's own queue is slower: on a busy machine each turn begins only when that very process gets the processor.
"""
LIMIT = 64 * 1024
"""The most bytes read of such a file."""


class LockedFile:
    """A file that this process alone may change."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self.content = os.read(descriptor, LIMIT)
        """The file's bytes."""

    def write(self, content: bytes) -> None:
        """Replace the content if it differs, in place: the lock belongs to this very file. Raises OSError."""
        if content == self.content:
            return
        try:
            self._put(content)
        except OSError:  # a full disk, which still has room for the old content
            self._put(self.content)
            raise
        self.content = content

    def _put(self, content: bytes) -> None:
        rest = content.ljust(len(self.content))  # a process killed before the last step leaves trailing blanks
        os.lseek(self._descriptor, 0, os.SEEK_SET)
        while rest:
            rest = rest[os.write(self._descriptor, rest) :]
        os.ftruncate(self._descriptor, len(content))


@contextmanager
def locked(path: str) -> Iterator[LockedFile]:
    """Lock the file at `path`, creating it if missing. Raises OSError or TimeoutError."""
    descriptor = _open_locked(path)
    try:
        yield LockedFile(descriptor)
    finally:
        os.close(descriptor)


def _open_locked(path: str) -> int:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        descriptor, is_at_path = _open(path), False
        try:
            _lock(descriptor, deadline)
            is_at_path = _is_at(path, descriptor)
            if is_at_path:
                return descriptor
        finally:
            if not is_at_path:
                os.close(descriptor)


def _is_at(path: str, descriptor: int) -> bool:
    """Whether the open file is still the one at `path`: it may have been pruned while we waited."""
    try:
        return os.path.samestat(os.lstat(path), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def _open(path: str) -> int:
    try:
        return files.open_regular(path, os.O_RDWR | os.O_CREAT, is_ours=True)
    except FileNotFoundError:
        os.makedirs(os.path.dirname(path), files.PRIVATE_DIRECTORY, exist_ok=True)
        return files.open_regular(path, os.O_RDWR | os.O_CREAT, is_ours=True)


def _lock(descriptor: int, deadline: float) -> None:
    pause = SHORTEST_PAUSE_SECONDS
    while not try_lock(descriptor):
        if time.monotonic() > deadline:
            raise TimeoutError("a file of ours stayed locked")
        time.sleep(pause)
        pause = min(2 * pause, LONGEST_PAUSE_SECONDS)


if sys.platform == "win32":
    import msvcrt

    def try_lock(descriptor: int) -> bool:
        """Lock a file until it is closed; return False if another process has locked it."""
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
else:
    import fcntl  # a locking library would cost more at start-up than all of the monitor's own modules

    def try_lock(descriptor: int) -> bool:
        """Lock a file until it is closed; return False if another process has locked it."""
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
