"""Texts that repeat, and the store's ids for them."""

import sqlite3
from functools import lru_cache

import msgspec

from history.store.rows import WindowRow
from history.store.stored_paths import parted

_MOST_REMEMBERED = 100_000


class Dictionary:
    """The store's ids for texts, each looked up once; a new text is added."""

    def __init__(self, store: sqlite3.Connection) -> None:
        self._store = store
        remembered = lru_cache(_MOST_REMEMBERED)
        self.name = remembered(lambda text: self._id("names", {"text": text}))
        """The id of a text in `names`."""
        self.directory = remembered(lambda path: self._id("paths", {"directory": None, "name": path}) if path else None)
        """The id of a directory in `paths`; None for an empty one."""
        self.file = remembered(self._file)
        """The id of a file in `paths`; None for an empty one."""
        self.window = remembered(self._window)
        """The id of a row in `windows`."""

    def _file(self, path: str) -> int | None:
        if not path:
            return None
        directory, name = parted(path)
        return self._id("paths", {"directory": self.directory(directory), "name": name})

    def _window(self, row: WindowRow) -> int:
        columns = msgspec.structs.asdict(row)
        return self._id("windows", {"key": " ".join(map(str, columns.values())), **columns})

    def _id(self, table: str, row: dict[str, str | int | None]) -> int:
        """The id of this row, which is added if it is missing."""
        values, placeholders = tuple(row.values()), ",".join("?" * len(row))
        added = self._store.execute(f"INSERT OR IGNORE INTO {table} ({', '.join(row)}) VALUES ({placeholders})", values)
        if added.rowcount:  # mostly it is new
            assert added.lastrowid is not None  # noqa: S101  an INSERT has one
            return added.lastrowid
        condition = " AND ".join(f"{column} IS ?" for column in row)
        ((number,),) = self._store.execute(f"SELECT id FROM {table} WHERE {condition}", values)
        return int(number)
