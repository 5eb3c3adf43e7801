import enum

import pytest

from history.store import schema
from shared.gauge.levels import Level
from tests.history.questions.stored import Stored
from tests.history.trees import ask


def test_a_level_inserted_between_two_leaves_what_is_stored_where_it_was(
    stored: Stored, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = stored.conversation("s")
    for level in reversed(Level):
        session.call(level=level.name)
    monkeypatch.setattr(schema, "Level", enum.IntEnum("Level", "NORMAL NOTICE WARNING CRITICAL EXHAUSTED", start=0))
    order = schema.urgency("level")

    found = ask(stored.root, f"SELECT DISTINCT level FROM calls ORDER BY {order}")  # noqa: S608  an expression of our own

    assert found == [("NORMAL",), ("WARNING",), ("CRITICAL",), ("EXHAUSTED",)]
    assert ask(stored.root, f"SELECT max({order}) FROM calls") == [(4,)]  # noqa: S608  as above
