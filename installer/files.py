"""Files written whole or not at all."""

import contextlib
import os
import stat


def read(path: str) -> bytes | None:
    """Return the contents, None if there is no such file."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None


def write(path: str, contents: bytes, mode: int = 0o644) -> None:
    """Write beside and rename, so that a reader finds the old contents or the new ones."""
    temporary = _write_beside(path, contents, mode)
    try:
        os.replace(temporary, path)
    except OSError:
        os.unlink(temporary)
        raise


def replace_if(path: str, before: bytes | None, after: bytes | None) -> bool:
    """Put `after` in the place of `before` (None: no file); False, and nothing done, if it changed meanwhile.

    `path` must not be a link. The mode and, as far as one may, the owner stay.
    """
    if after is None:
        if read(path) != before:
            return False
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)
        return True
    status = os.stat(path) if before is not None and os.path.exists(path) else None
    temporary = _write_beside(path, after, stat.S_IMODE(status.st_mode) if status else 0o600)
    try:
        if status is not None and hasattr(os, "chown") and status.st_uid != os.geteuid():
            with contextlib.suppress(OSError):
                os.chown(temporary, status.st_uid, status.st_gid)
        if read(path) != before:
            os.unlink(temporary)
            return False
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)
        raise
    return True


def missing_directories(path: str) -> list[str]:
    """Return those that would have to be made for this one to be there, itself first."""
    missing = []
    while not os.path.isdir(path) and os.path.dirname(path) != path:
        missing.append(path)
        path = os.path.dirname(path)
    return missing


def _write_beside(path: str, contents: bytes, mode: int) -> str:
    directory, name = os.path.split(path)
    temporary = os.path.join(directory, f".{name}.{os.getpid()}.tmp")
    with contextlib.suppress(FileNotFoundError):
        os.unlink(temporary)  # of a process of this number that was killed
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(contents)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, mode)
    except BaseException:
        os.unlink(temporary)
        raise
    return temporary
