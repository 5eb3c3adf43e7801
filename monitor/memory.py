"""The memory of each conversation, in a file that parallel hooks take in turns."""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from monitor.cadence import Memory
from shared import files, paths

PATIENCE_SECONDS = 2.0
"""How long a hook waits for its turn; the others hold the file for a millisecond."""
_LIMIT = 4096


class Held(msgspec.Struct):
    """A conversation's memory while this process alone may change it: set `memory` to do so."""

    memory: Memory


@contextmanager
def hold(root: str, conversation: str) -> Iterator[Held]:
    """Hold the memory of `conversation`; a damaged one counts as the first. Raises OSError or TimeoutError.

    Written in place and not by rename: the lock belongs to the file, which must stay the same one.
    """
    descriptor = _open(paths.memory(root, conversation))
    try:
        _lock(descriptor)
        before = os.read(descriptor, _LIMIT)
        held = Held(_decoded(before))
        yield held
        after = msgspec.json.encode(held.memory)
        if after != before:
            os.lseek(descriptor, 0, os.SEEK_SET)
            os.ftruncate(descriptor, 0)
            os.write(descriptor, after)
    finally:
        os.close(descriptor)


def read(root: str, conversation: str) -> Memory | None:
    """The memory as it stands, for who only looks; None when there is none."""
    document = files.read_or_none(paths.memory(root, conversation), _LIMIT)
    return None if document is None else _decoded(document)


def exists(root: str, conversation: str) -> bool:
    return os.path.exists(paths.memory(root, conversation))


def _open(path: str) -> int:
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    try:
        return os.open(path, flags, files.PRIVATE_FILE)
    except FileNotFoundError:
        os.makedirs(os.path.dirname(path), files.PRIVATE_DIRECTORY, exist_ok=True)
        return os.open(path, flags, files.PRIVATE_FILE)


def _lock(descriptor: int) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not _try_lock(descriptor):
        if time.monotonic() > deadline:
            raise TimeoutError("the conversation's memory stayed locked")
        time.sleep(0.002)


if sys.platform == "win32":
    import msvcrt

    def _try_lock(descriptor: int) -> bool:
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
else:
    import fcntl  # a locking library would cost more at start-up than all of the monitor's own modules

    def _try_lock(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


def _decoded(document: bytes) -> Memory:
    try:
        return msgspec.json.decode(document, type=Memory)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return Memory()
