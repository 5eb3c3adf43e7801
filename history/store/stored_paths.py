"""Paths as the store has them: plain, or hashed if the person wants that."""

import os
import sqlite3

from history.store import store
from history.store.digest import digest_of


class StoredPaths:
    """Paths hashed with the store's own salt: directory and name apart, so that a directory's files stay together."""

    def __init__(self, salt: bytes | None) -> None:
        """`salt` is None if nothing is hashed."""
        self._salt = salt
        self.is_hashed = salt is not None

    def directory(self, path: str) -> str:
        return f"{digest_of(path, self._salt):016x}" if path and self._salt else path

    def file(self, path: str) -> str:
        if not path or not self._salt:
            return path
        directory, name = parted(path)
        return f"{self.directory(directory)}/{self.directory(name)}"


def paths_of(opened: sqlite3.Connection) -> StoredPaths:
    """The form in which the store has paths now."""
    is_hashed = opened.execute("SELECT value FROM meta WHERE key = 'hashes_paths'").fetchone()
    return StoredPaths(store.salt(opened) if is_hashed else None)


def parted(path: str) -> tuple[str, str]:
    directory, name = os.path.split(path)
    return directory or ".", name


def joined(directory: str | None, name: str) -> str:
    """The path in a row of `paths`: of a file from its directory and name, of a directory, without one, its name."""
    return name if directory is None else os.path.join(directory, name)
