"""Files written whole or not at all."""

import contextlib
import hashlib
import json
import os
import re
import secrets
import shutil
import stat
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from installer.install_error import InstallError
from shared.files.files import create, open_regular


def read(path: str) -> bytes | None:
    """The contents; None if there is no such file. Raises OSError, also for a pipe, which could block."""
    try:
        with open(open_regular(path), "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None


def digest(contents: bytes | None) -> str:
    """A digest by which a file's contents are recognised; a missing file counts as empty."""
    return hashlib.sha256(contents or b"").hexdigest()


def load(path: str) -> dict[str, Any]:
    """The JSON object in a file; an empty one if it is missing, damaged or too deeply nested."""
    try:
        loaded = json.loads(read(path) or b"{}")
    except (ValueError, RecursionError):
        return {}
    return loaded if isinstance(loaded, dict) else {}


def write(path: str, contents: bytes, mode: int = 0o644) -> None:
    """Replace the file as a whole: a reader finds the old contents or the new ones, also after a power cut."""
    with _temporary(path, contents, mode) as temporary:
        os.replace(temporary, path)
    _sync(os.path.dirname(path))


def replace_if(path: str, before: bytes | None, after: bytes | None) -> bool:
    """Replace `before` with `after` (None: no file); return False and do nothing if it has changed meanwhile.

    `path` must not be a link. The mode and, if permitted, the owner stay.
    """
    if after is None:
        if read(path) != before:
            return False
        remove(path)
        return True
    status = os.stat(path) if before is not None and os.path.exists(path) else None
    with _temporary(path, after, stat.S_IMODE(status.st_mode) if status else 0o600) as temporary:
        if status is not None and hasattr(os, "chown") and status.st_uid != os.geteuid():
            with contextlib.suppress(OSError):
                os.chown(temporary, status.st_uid, status.st_gid)
        if read(path) != before:
            return False
        os.replace(temporary, path)
    _sync(os.path.dirname(path))
    return True


def remove_leftovers(directory: str, name: str | None = None) -> None:
    """Remove what a killed installation left next to `name`, or to any file in `directory`; only while none runs."""
    of_file = ".+" if name is None else rf"{re.escape(name)}(\.tidegauge-[\d-]+\.bak)?"
    for entry in os.scandir(directory) if os.path.isdir(directory) else ():
        is_leftover = re.fullmatch(rf"\.{of_file}\.tidegauge-[0-9a-f]+\.tmp", entry.name) is not None
        if is_leftover and stat.S_ISREG(entry.stat(follow_symlinks=False).st_mode):
            remove(entry.path)


def remove(path: str) -> None:
    """Remove a file if it is there. Raises OSError."""
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)


def remove_tree(path: str) -> None:
    """Remove the directory, or whatever is in its place, as far as possible."""
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path, ignore_errors=True)
        return
    with contextlib.suppress(OSError):  # rmtree would wait for a pipe
        os.unlink(path)


def remove_trees(paths: Sequence[str]) -> None:
    """Remove each path, a directory with its contents. Raises InstallError for what stays."""
    for path in paths:
        remove_tree(path)
    for path in filter(os.path.lexists, paths):
        raise InstallError(f"{path}: cannot be removed; delete it by hand")


def remove_empty(directory: str) -> bool:
    """Remove a directory, unless someone else's files are in it by now."""
    try:
        os.rmdir(directory)
    except OSError:
        return False
    return True


@contextlib.contextmanager
def _temporary(path: str, contents: bytes, mode: int) -> Iterator[str]:
    """A file next to `path` with these contents; removed at the end, unless it was renamed."""
    directory, name = os.path.split(path)
    # An unpredictable name, where nobody can have put a link before.
    temporary = os.path.join(directory, f".{name}.tidegauge-{secrets.token_hex(8)}.tmp")
    try:
        with create(temporary) as file:
            file.write(contents)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, mode)
        yield temporary
    finally:
        remove(temporary)


def _sync(directory: str) -> None:
    """Flush the renames to disk in their order, if the system supports it."""
    if sys.platform == "win32":
        return  # there a directory cannot be opened
    with contextlib.suppress(OSError):  # an unreadable directory, or a file system that can't do it
        descriptor = os.open(directory or os.curdir, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
