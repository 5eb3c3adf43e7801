"""A directory that is kept open: paths inside are relative to it.

Every call looks a path up anew, and a user who may write above it can replace it by a link between two calls. An open
directory stays the same one. Windows has no such thing: there it is a path that leads through no link when it is
opened.
"""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import BinaryIO

from shared.files import files

_CAN_HOLD = os.open in os.supports_dir_fd
_FLAGS = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0)


class Directory:
    """An open directory. No link in it is followed. All methods but `read_or_none` and `remove` raise OSError."""

    def __init__(self, path: str, descriptor: int | None) -> None:
        self.path = path
        self.descriptor = descriptor
        """None if the system supports only paths."""

    def names(self) -> frozenset[str]:
        return frozenset(os.listdir(self.path if self.descriptor is None else self.descriptor))

    def status(self, name: str) -> os.stat_result:
        """The status of the entry `name`; for a link, the link's own."""
        return os.stat(self._at(name), dir_fd=self.descriptor, follow_symlinks=False)

    def read_or_none(self, name: str) -> bytes | None:
        return files.read_or_none(self._at(name), directory=self.descriptor)

    def create(self, name: str) -> BinaryIO:
        return files.create(self._at(name), self.descriptor)

    def write_atomic(self, name: str, data: bytes) -> None:
        files.write_atomic(self._at(name), data, self.descriptor)

    def rename(self, name: str, to: str) -> None:
        os.rename(self._at(name), self._at(to), src_dir_fd=self.descriptor, dst_dir_fd=self.descriptor)

    def remove(self, name: str) -> None:
        files.remove(self._at(name), self.descriptor)

    def make_directory(self, name: str) -> None:
        os.mkdir(self._at(name), files.PRIVATE_DIRECTORY, dir_fd=self.descriptor)

    def remove_directory(self, name: str) -> None:
        """Remove a directory. Raises OSError also if it is not empty."""
        os.rmdir(self._at(name), dir_fd=self.descriptor)

    @contextmanager
    def directory(self, name: str, *, make: bool = False) -> "Iterator[Directory]":
        """Open the directory `name` inside; with `make`, create it if missing. Raises OSError also for a link."""
        if make:
            try:
                self.make_directory(name)
            except FileExistsError:  # if it is a file or a link, opening it fails
                pass
        with _open(os.path.join(self.path, name), self._at(name), self.descriptor) as result:
            yield result

    def _at(self, name: str) -> str:
        return os.path.join(self.path, name) if self.descriptor is None else name


@contextmanager
def opened(start: str, below: str = "", *, make: bool = False) -> Iterator[Directory]:
    """Open the directory `below` the real path `start`, following no link; `make` creates it. Raises OSError."""
    with ExitStack() as stack:
        directory = stack.enter_context(_open(start, start, None))
        for step in below.split(os.sep):
            if step not in {"", os.curdir}:
                directory = stack.enter_context(directory.directory(step, make=make))
        yield directory


@contextmanager
def _open(path: str, name: str, above: int | None) -> Iterator[Directory]:
    with naming(path):
        if not _CAN_HOLD:
            if os.path.normcase(os.path.realpath(path)) != os.path.normcase(path):
                raise NotADirectoryError(f"{path} leads through a link")
            yield Directory(path, None)
            return
        descriptor = os.open(name, _FLAGS, dir_fd=above)
        try:
            yield Directory(path, descriptor)
        finally:
            os.close(descriptor)


@contextmanager
def naming(path: str) -> Iterator[None]:
    """Have errors of the system name the directory at `path` if they name nothing, or only an entry in it."""
    try:
        yield
    except OSError as problem:
        if problem.strerror and not (isinstance(problem.filename, str) and os.path.isabs(problem.filename)):
            problem.filename = path
        raise
