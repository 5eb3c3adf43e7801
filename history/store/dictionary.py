"""Texts that repeat, and the store's ids for them."""

import sqlite3

import msgspec

from history.store.rows import WindowRow
from history.store.stored_paths import parted

_MOST_REMEMBERED = 100_000


class Dictionary:
    """The store's ids, each looked up once; a new text is added."""

    def __init__(self, store: sqlite3.Connection) -> None:
        self._store = store
        self._names: dict[str, int] = {}
        self._paths: dict[tuple[str, bool], int] = {}
        self._windows: dict[WindowRow, int] = {}

    def name(self, text: str) -> int:
        """The id of `text` in `names`."""
        number = self._names.get(text)
        if number is None:
            number = self._names[text] = self._id("names", {"text": text})
        return number

    def path(self, path: str, *, is_directory: bool) -> int | None:
        """The id of `path` in `paths`; None for an empty one."""
        if not path:
            return None
        number = self._paths.get((path, is_directory))
        if number is None:
            if len(self._paths) > _MOST_REMEMBERED:
                self._paths.clear()
            number = self._paths[path, is_directory] = self._path(path, is_directory=is_directory)
        return number

    def window(self, row: WindowRow) -> int:
        """The id of `row` in `windows`."""
        number = self._windows.get(row)
        if number is None:
            columns = msgspec.structs.asdict(row)
            key = " ".join(map(str, columns.values()))
            number = self._windows[row] = self._id("windows", {"key": key}, columns)
        return number

    def _path(self, path: str, *, is_directory: bool) -> int:
        if is_directory:
            return self._id("paths", {"directory": None, "name": path})
        directory, name = parted(path)
        return self._id("paths", {"directory": self.path(directory, is_directory=True), "name": name})

    def _id(
        self, table: str, key: "dict[str, str | int | None]", more: "dict[str, str | int | None] | None" = None
    ) -> int:
        row = key | (more or {})
        placeholders = ",".join("?" * len(row))
        statement = f"INSERT OR IGNORE INTO {table} ({', '.join(row)}) VALUES ({placeholders})"
        added = self._store.execute(statement, tuple(row.values()))
        if added.rowcount:  # mostly it is new
            assert added.lastrowid is not None  # noqa: S101  an INSERT has one
            return added.lastrowid
        condition = " AND ".join(f"{column} IS ?" for column in key)
        ((number,),) = self._store.execute(f"SELECT id FROM {table} WHERE {condition}", tuple(key.values()))
        return int(number)
