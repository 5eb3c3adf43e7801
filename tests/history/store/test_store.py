import json
import os
import sqlite3
import stat
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, closing
from pathlib import Path
from typing import Any

import pytest

from history.store import schema, store
from shared import paths


def create(root: str) -> None:
    with store.for_writing(root):
        pass


@pytest.fixture
def root(tmp_path: Path) -> str:
    places = {name: str(tmp_path / name) for name in ("config", "log", "history")}
    (tmp_path / "directories.json").write_text(json.dumps(places))
    return str(tmp_path)


def test_the_first_opening_for_writing_creates_a_private_store_of_the_current_schema(root: str) -> None:
    create(root)

    path = paths.history_store(root)
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (schema.SCHEMA,)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_an_unreachable_store_is_not_called_missing(root: str) -> None:
    Path(paths.history_store(root)).parent.write_text("a file")
    with (
        pytest.raises(store.StoreError, match=r"history\.sqlite can't be read: Not a directory"),
        store.for_reading(root),
    ):
        pass


def test_a_new_store_waits_for_another_process_creating_it(root: str) -> None:
    path = Path(paths.history_store(root))
    path.parent.mkdir()
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as other:
        other.execute("BEGIN IMMEDIATE")
        release = threading.Timer(0.3, other.execute, ["COMMIT"])
        release.start()
        create(root)
        release.join()


@pytest.mark.parametrize("opening", [store.for_writing, store.for_reading])
def test_another_process_may_create_the_store_before_any_statement(
    root: str, monkeypatch: pytest.MonkeyPatch, opening: Callable[[str], AbstractContextManager[sqlite3.Connection]]
) -> None:
    path, connect = Path(paths.history_store(root)), sqlite3.connect
    statements, refusals = 0, set[str]()

    class Overtaken(sqlite3.Connection):
        def execute(self, *arguments: Any) -> sqlite3.Cursor:
            nonlocal statements
            statements += 1
            if statements == overtaken_at and not self.in_transaction:
                with monkeypatch.context() as other:
                    other.setattr(sqlite3, "connect", connect)
                    create(root)
            return super().execute(*arguments)

    overtaken_at = 0
    while overtaken_at <= statements:
        overtaken_at, statements = overtaken_at + 1, 0
        for file in path.parent.glob("history.sqlite*"):
            file.unlink()
        path.parent.mkdir(exist_ok=True)
        path.touch()
        with monkeypatch.context() as patched:
            patched.setattr(sqlite3, "connect", lambda *some, **more: connect(*some, **more, factory=Overtaken))
            try:
                with opening(root):
                    pass
            except store.StoreError as problem:
                refusals.add(str(problem).removeprefix(str(path)))

    assert overtaken_at > (7 if opening is store.for_writing else 2)
    assert all(" is of version 0" in refusal for refusal in refusals)


def test_reading_before_the_first_sync_asks_for_a_sync(root: str) -> None:
    with pytest.raises(store.StoreError, match="tidegauge history sync"), store.for_reading(root):
        pass

    assert not store.exists(root)


def test_a_store_opened_for_reading_cannot_be_written(root: str) -> None:
    create(root)

    with store.for_reading(root) as opened, pytest.raises(sqlite3.OperationalError, match="readonly"):
        opened.execute("DELETE FROM meta")


def test_a_migration_updates_an_older_stores_schema_and_keeps_its_rows(
    root: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with store.for_writing(root) as first:
        first.execute("INSERT INTO names (text) VALUES ('Read')")
    scripts = {schema.SCHEMA: "ALTER TABLE names ADD COLUMN more INTEGER;"}
    monkeypatch.setattr(schema, "migration", scripts.get)
    monkeypatch.setattr(schema, "SCHEMA", schema.SCHEMA + 1)

    with pytest.raises(store.StoreError, match="history sync"), store.for_reading(root):
        pass
    with store.for_writing(root) as migrated:
        assert migrated.execute("SELECT text, more FROM names").fetchall() == [("Read", None)]


def test_a_failed_migration_leaves_the_store_unchanged(root: str, monkeypatch: pytest.MonkeyPatch) -> None:
    create(root)
    with monkeypatch.context() as patched:
        broken = "CREATE TABLE more (id INTEGER);\nALTER TABLE nowhere ADD COLUMN x;"
        patched.setattr(schema, "migration", {schema.SCHEMA: broken}.get)
        patched.setattr(schema, "SCHEMA", schema.SCHEMA + 1)
        with pytest.raises(sqlite3.OperationalError, match="nowhere"):
            create(root)

    with store.for_reading(root) as opened:
        assert opened.execute("SELECT count(*) FROM sqlite_master WHERE name = 'more'").fetchone()[0] == 0


@pytest.mark.parametrize("content", ["no database at all", "another program's", "a newer Tidegauge's"])
def test_a_foreign_file_is_refused_by_name_and_not_changed(root: str, content: str) -> None:
    path = Path(paths.history_store(root))
    path.parent.mkdir()
    if content.startswith("no"):
        path.write_bytes(b"no database at all " * 100)
    else:
        with closing(sqlite3.connect(path)) as other:
            other.execute("CREATE TABLE theirs (id INTEGER)")
            if "newer" in content:
                other.execute(f"PRAGMA application_id = {schema.APPLICATION}")
                other.execute(f"PRAGMA user_version = {schema.SCHEMA + 1}")
    before = path.read_bytes()

    advice = "update your clone" if "newer" in content else "move it away"
    with pytest.raises(store.StoreError, match=rf"history\.sqlite.*{advice}"):
        create(root)

    assert path.read_bytes() == before


@pytest.mark.parametrize("opening", [store.for_writing, store.for_reading])
def test_a_store_with_an_undecodable_schema_is_refused_by_name(
    root: str, opening: Callable[[str], AbstractContextManager[sqlite3.Connection]]
) -> None:
    create(root)
    path = Path(paths.history_store(root))
    whole = path.read_bytes()
    damaged = whole.replace(b"CREATE TABLE names", b"CREATE \x80ABLE names")
    assert damaged != whole
    path.write_bytes(damaged)

    with pytest.raises(store.StoreError, match=r"history\.sqlite is not a Tidegauge store"), opening(root):
        pass


def test_a_writer_waits_for_another_only_within_its_time(root: str) -> None:
    begin = time.monotonic()

    with (
        store.for_writing(root) as first,
        store.for_writing(root) as second,
        store.transaction(first),
        pytest.raises(sqlite3.OperationalError) as caught,
        store.transaction(second, until=begin + 0.1),
    ):
        pass

    assert store.is_locked(caught.value)
    assert time.monotonic() - begin < 5  # not the 30 s that a sync has


def test_a_failed_transaction_leaves_nothing_behind(root: str) -> None:
    def fail(opened: sqlite3.Connection) -> None:
        with store.transaction(opened):
            opened.execute("INSERT INTO names (text) VALUES ('Read')")
            raise KeyError

    with store.for_writing(root) as opened:
        with pytest.raises(KeyError):
            fail(opened)
        with store.transaction(opened):
            opened.execute("INSERT INTO names (text) VALUES ('Edit')")

        assert opened.execute("SELECT text FROM names").fetchall() == [("Edit",)]
