"""Small private files: read whole or not at all, replaced by rename, never through a link."""

import os
import stat

TYPE_CHECKING = False
if TYPE_CHECKING:  # the installer and the boundary import this module, also where typing or msgspec is not there
    from typing import BinaryIO, TypeVar

    Record = TypeVar("Record")
    Default = TypeVar("Default")

PRIVATE_FILE = 0o600
PRIVATE_DIRECTORY = 0o700
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)  # not a flag of Windows
_NO_WAIT = getattr(os, "O_NONBLOCK", 0)  # nor this
_BINARY = getattr(os, "O_BINARY", 0)  # only a flag of Windows


READ_LIMIT = 1 << 20
"""Bytes of a file of ours that is read whole, unless its owner says otherwise."""


def load(path: str, kind: "type[Record]", default: "Default", limit: int = READ_LIMIT) -> "Record | Default":
    """The JSON in a file of ours as a `kind`.

    `default` when `read_or_none` finds nothing, and when what it finds is damaged, of other types or nested too deeply.
    """
    document = read_or_none(path, limit)
    if document is None:
        return default
    from shared import lenient  # noqa: PLC0415  msgspec is not there yet when the installer runs

    return lenient.decode_or(document, kind, default)


def read_or_none(path: str, limit: int = READ_LIMIT) -> bytes | None:
    """The bytes of a regular file of ours; None when it is missing, a link, another user's or over `limit` bytes.

    Another user's is refused because `bridge.directory` may be the system's shared temporary directory.
    """
    try:
        descriptor = open_regular(path, is_ours=True)
    except (OSError, ValueError):
        return None
    try:
        status = os.fstat(descriptor)
        if status.st_size > limit or not _own(status):
            return None
        return os.read(descriptor, status.st_size)  # not `limit`: room for so many bytes is made first
    except OSError:
        return None
    finally:
        os.close(descriptor)


def open_regular(path: str, flags: int = os.O_RDONLY, *, is_ours: bool = False) -> int:
    """A descriptor of a regular file; a pipe or a device, which could keep us waiting, is an OSError.

    So is a link in place of a file that `is_ours`.
    """
    descriptor = os.open(path, flags | _BINARY | _NO_WAIT | (_NO_LINK if is_ours else 0), PRIVATE_FILE)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError("not a regular file")
    return descriptor


def create(path: str) -> "BinaryIO":
    """A new private file, open for writing. Raises OSError; FileExistsError also for a link: nothing is replaced."""
    return open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_LINK | _BINARY, PRIVATE_FILE), "wb")


def write_atomic(path: str, data: bytes) -> None:
    """Replace `path` by a private file of `data`; readers see the old bytes or the new. Raises OSError."""
    # A name of this call's own: the process id would be shared by its threads, and by what a killed process left.
    beside = os.path.join(os.path.dirname(path), f".{os.path.basename(path)}.{os.urandom(8).hex()}.tmp")
    try:
        opened = create(beside)
    except FileNotFoundError:
        os.makedirs(os.path.dirname(path), PRIVATE_DIRECTORY, exist_ok=True)
        opened = create(beside)
    try:
        with opened as file:
            file.write(data)
        os.replace(beside, path)
    except OSError:
        remove(beside)
        raise


def append_bounded(path: str, data: bytes, limit: int) -> None:
    """Append `data`; a file past `limit` bytes, or with a second name, is first renamed to `path`.1. Raises OSError."""
    os.makedirs(os.path.dirname(path), PRIVATE_DIRECTORY, exist_ok=True)
    if size(path) > limit or _has_second_name(path):
        os.replace(path, path + ".1")
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | _NO_LINK | _BINARY, PRIVATE_FILE)
    try:
        os.write(descriptor, data)
    finally:
        os.close(descriptor)


def remove(path: str) -> None:
    """Remove `path` if it is there and may be removed."""
    try:
        os.unlink(path)
    except OSError:
        pass


def size(path: str) -> int:
    """Bytes of the file that `path` leads to; -1 when there is none."""
    try:
        return os.stat(path).st_size
    except (OSError, ValueError):
        return -1


def _has_second_name(path: str) -> bool:
    """Whether a hard link leads to the file, too: what is written to it would be written there."""
    try:
        return os.lstat(path).st_nlink > 1
    except OSError:
        return False


def _own(status: os.stat_result) -> bool:
    return os.name == "nt" or status.st_uid == os.geteuid()
