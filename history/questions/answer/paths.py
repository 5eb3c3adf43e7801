"""Paths and projects of the store, as text."""

import sqlite3

PATHS = """
SELECT paths.id, paths.name, above.name AS directory
FROM paths LEFT JOIN paths AS above ON above.id = paths.directory
"""


def all_paths(store: sqlite3.Connection) -> dict[int, tuple[str, str]]:
    """Each path by paths.id: a file's and its directory's; for a directory, its own twice. Digits if hashed."""
    return {number: _path(name, directory) for number, name, directory in store.execute(PATHS)}


def _path(name: str, directory: str | None) -> tuple[str, str]:
    if directory is None:
        return name, name
    separator = "\\" if "\\" in directory and "/" not in directory else "/"
    return f"{directory.rstrip(separator)}{separator}{name}", directory
