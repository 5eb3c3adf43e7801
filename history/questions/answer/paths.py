"""Paths and projects of the store, as text."""

import sqlite3


def all_paths(store: sqlite3.Connection) -> dict[int, tuple[str, str]]:
    """Each path by paths.id: a file's and its directory's; for a directory, its own twice. Digits if hashed."""
    rows = store.execute("SELECT id, directory, name FROM paths").fetchall()
    directories = {row["id"]: row["name"] for row in rows if row["directory"] is None}
    return {row["id"]: _path(row["name"], directories.get(row["directory"])) for row in rows}


def _path(name: str, directory: str | None) -> tuple[str, str]:
    if directory is None:
        return name, name
    separator = "\\" if "\\" in directory and "/" not in directory else "/"
    return f"{directory.rstrip(separator)}{separator}{name}", directory
