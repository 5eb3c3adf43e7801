import enum
import importlib
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from history.questions import QUESTIONS
from history.store import schema, store
from shared import paths
from tests.history import trees
from tests.history.trees import ask, drop_store, synced

VERSION_2 = Path(__file__).with_name("stores") / "version_2.sql"
NUMBERS = {0: "NORMAL", 1: "WARNING", 2: "CRITICAL", 3: "EXHAUSTED"}
RENAMED = {"fillings": "cycles", "filling": "cycle", "seal": "checksum"}
Rows = dict[str, list[dict[str, Any]]]


def contents(path: str) -> Rows:
    """All rows of all tables, under the columns' current names."""
    with closing(sqlite3.connect(path)) as opened:
        opened.row_factory = sqlite3.Row
        tables = [row["name"] for row in opened.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {
            RENAMED.get(table, table): [
                {RENAMED.get(name, name): row[name] for name in row.keys()}  # noqa: SIM118  a row isn't a dict
                for row in opened.execute(f"SELECT * FROM {table}")  # noqa: S608  names of our own
            ]
            for table in tables
        }


def structure(opened: sqlite3.Connection) -> set[tuple[str, str]]:
    """Every table, index and view, with each of its columns."""
    names = [name for (name,) in opened.execute("SELECT name FROM sqlite_master")]
    return {
        (name, column)
        for name in names
        for (column,) in opened.execute(
            "SELECT name FROM pragma_table_info(?) UNION SELECT name FROM pragma_index_info(?)", (name, name)
        )
    }


@pytest.fixture
def old_store(root: str) -> str:
    path = paths.history_store(root)
    Path(path).parent.mkdir()
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(VERSION_2.read_text("utf-8"))
    return path


def test_a_migration_names_the_levels_and_keeps_all_rows(root: str, old_store: str) -> None:
    before = contents(old_store)
    assert all(before.values())
    assert {row["level"] for row in before["calls"]} == set(NUMBERS)

    with store.for_writing(root):
        pass

    for table in ("calls", "warnings"):
        for row in before[table]:
            row["level"] = NUMBERS[row["level"]]
    for row in before["calls"]:
        row["cache_creation_1h"] = None
    assert contents(old_store) == before


def test_a_migrated_store_has_the_tables_columns_indexes_and_views_of_a_new_one(root: str, old_store: str) -> None:
    with store.for_writing(root) as opened:
        migrated = structure(opened)
    drop_store(root)
    with store.for_writing(root) as opened:
        new = structure(opened)

    assert migrated - new == {("compactions", "lost")}
    assert new <= migrated


def test_a_version_without_a_migration_is_refused_and_left_unchanged(root: str, old_store: str) -> None:
    with closing(sqlite3.connect(old_store)) as connection:
        connection.execute("PRAGMA user_version = 4")
    before = contents(old_store)

    with pytest.raises(store.StoreError, match=r"history\.sqlite is of version 4"), store.for_writing(root):
        pass

    assert contents(old_store) == before


def test_a_sync_after_it_keeps_pruned_sessions_and_the_questions_work(root: str, old_store: str) -> None:
    before = contents(old_store)

    trees.transcript(root).answer(20_000, id="msg_new")
    synced(root)

    after = contents(old_store)
    for table in ("compactions", "rate_limits", "parts", "telemetry_accounts", "telemetry_cells"):
        assert all(row in after[table] for row in before[table])
    assert len(after["calls"]) == len(before["calls"]) + 1
    assert ask(root, "SELECT level, count(*) FROM warnings GROUP BY level ORDER BY level") == [
        ("CRITICAL", 1),
        ("EXHAUSTED", 1),
        ("WARNING", 1),
    ]
    for question in QUESTIONS.values():
        with store.for_reading(root) as opened:
            module = importlib.import_module(question)
            assert module.presentation(module.figures(opened, 0)).tables


def test_a_level_inserted_between_two_does_not_change_stored_ones(
    root: str, old_store: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with store.for_writing(root):
        pass
    monkeypatch.setattr(schema, "Level", enum.IntEnum("Level", "NORMAL NOTICE WARNING CRITICAL EXHAUSTED", start=0))
    order = schema.urgency("level")

    stored = ask(root, f"SELECT DISTINCT level FROM calls ORDER BY {order}")  # noqa: S608  an expression of our own

    assert stored == [("NORMAL",), ("WARNING",), ("CRITICAL",), ("EXHAUSTED",)]
    assert ask(root, f"SELECT max({order}) FROM calls") == [(4,)]  # noqa: S608  as above
