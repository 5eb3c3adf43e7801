"""Small private files: read whole or not at all, replaced by renaming, never accessed through a link."""

import errno
import os
import stat

TYPE_CHECKING = False
if TYPE_CHECKING:  # the installer and the boundary import this module, also where typing or msgspec is missing
    from typing import BinaryIO, TypeVar

    Record = TypeVar("Record")
    Default = TypeVar("Default")

PRIVATE_FILE = 0o600
PRIVATE_DIRECTORY = 0o700
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)  # not a flag of Windows
_NO_WAIT = getattr(os, "O_NONBLOCK", 0)  # nor this
_BINARY = getattr(os, "O_BINARY", 0)  # only a flag of Windows
READ_LIMIT = 1 << 20
"""The largest file of ours, in bytes, unless the caller gives another limit."""
os.umask(os.umask(0o077) & 0o077)  # for all files of this process: under 777 we couldn't read our own


def load(path: str, kind: "type[Record]", default: "Default", limit: int = READ_LIMIT) -> "Record | Default":
    """The JSON in a file of ours as a `kind`; `default` if it is missing, not ours, damaged or nested too deeply."""
    document = read_or_none(path, limit)
    if document is None:
        return default
    from shared.files import lenient  # noqa: PLC0415  msgspec is not yet installed when the installer runs

    return lenient.decode_or(document, kind, default)


def read_or_none(path: str, limit: int = READ_LIMIT, directory: int | None = None) -> bytes | None:
    """The bytes of a regular file of ours; None if it is missing, a link, another user's or over `limit` bytes.

    Another user's is refused because `bridge.directory` may be the system's shared temporary directory. Here and
    below, a relative `path` starts at the open `directory`, if one is given (shared.files.directory).
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | _BINARY | _NO_WAIT | _NO_LINK, dir_fd=directory)
    except (OSError, ValueError):
        return None
    try:
        status = os.fstat(descriptor)
        is_ours = os.name == "nt" or status.st_uid == os.geteuid()
        if not stat.S_ISREG(status.st_mode) or status.st_size > limit or not is_ours:
            return None
        return os.read(descriptor, status.st_size)  # not `limit`: memory for all of it is allocated first
    except OSError:
        return None
    finally:
        os.close(descriptor)


def open_regular(path: str, flags: int = os.O_RDONLY, *, is_ours: bool = False) -> int:
    """Open a regular file; `is_ours` refuses a link. Raises OSError, also for a pipe or a device, which could block."""
    flags |= _BINARY | _NO_WAIT | (_NO_LINK if is_ours else 0)
    descriptor = os.open(path, flags, PRIVATE_FILE)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "not a regular file", path)
    return descriptor


def beginning(path: str, most: int, *, is_ours: bool = False) -> bytes | None:
    """The first `most` bytes of a regular file of any owner; None if there is none. Never blocks on a pipe."""
    try:
        with open(open_regular(path, is_ours=is_ours), "rb") as file:
            return file.read(most)
    except (OSError, ValueError):
        return None


def create(path: str, directory: int | None = None) -> "BinaryIO":
    """Create a private file, open for writing. Raises OSError; FileExistsError also for a link: nothing is replaced."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_LINK | _BINARY
    return open(os.open(path, flags, PRIVATE_FILE, dir_fd=directory), "wb")


def missing_directories(path: str) -> list[str]:
    """The missing directories of `path`, from the top down to itself."""
    above = os.path.dirname(path)
    return [] if os.path.isdir(path) or above == path else [*missing_directories(above), path]


def make_directories(path: str) -> None:
    """Make `path` and its missing parents, all private; os.makedirs makes only the last one so. Raises OSError."""
    for directory in missing_directories(path):
        try:
            os.mkdir(directory, PRIVATE_DIRECTORY)
        except FileExistsError:  # another process was faster; if it is a file, the next step fails
            pass


def make_private(path: str) -> None:
    """Remove other users' permissions from a file or directory of ours; an older one or a copy may have them."""
    try:
        mode = os.lstat(path).st_mode
        if stat.S_IMODE(mode) & 0o077 and not stat.S_ISLNK(mode):
            os.chmod(path, stat.S_IMODE(mode) & PRIVATE_DIRECTORY)
    except OSError:  # it doesn't exist, or isn't ours
        pass


def write_atomic(path: str, data: bytes, directory: int | None = None, *, modified: float | None = None) -> None:
    """Replace `path` atomically by a private file of `data`; `modified` in epoch seconds, None: now. Raises OSError."""
    # A name unique to this call: threads share a process id, and so may a file that a killed process left.
    temporary = os.path.join(os.path.dirname(path), f".{os.path.basename(path)}.{os.urandom(8).hex()}.tmp")
    try:
        opened = create(temporary, directory)
    except FileNotFoundError:
        if directory is not None:
            raise
        make_directories(os.path.dirname(path))
        opened = create(temporary)
    try:
        with opened as file:
            file.write(data)
        if modified is not None:
            os.utime(temporary, (modified, modified), dir_fd=directory)
        os.replace(temporary, path, src_dir_fd=directory, dst_dir_fd=directory)
    except OSError:
        remove(temporary, directory)
        raise


def append_bounded(path: str, data: bytes, limit: int) -> None:
    """Append `data`; a file over `limit` bytes is first renamed to `path`.1. Raises OSError."""
    make_directories(os.path.dirname(path))
    if size(path) > limit:
        os.replace(path, path + ".1")
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | _NO_LINK | _BINARY, PRIVATE_FILE)
    try:
        os.write(descriptor, data)
    finally:
        os.close(descriptor)


def remove(path: str, directory: int | None = None) -> None:
    """Remove `path` if it exists and can be removed."""
    try:
        os.unlink(path, dir_fd=directory)
    except OSError:
        pass


def size(path: str) -> int:
    """The size in bytes of the regular file at `path`, following links; -1 if there is none."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return -1
    return status.st_size if stat.S_ISREG(status.st_mode) else -1


def modified_at(path: str) -> float:
    """The modification time in epoch seconds; 0 if the file is missing."""
    try:
        return os.stat(path).st_mtime
    except OSError:
        return 0.0
