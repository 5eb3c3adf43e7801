"""A session's end adds it to the history, in time, and only where the person has a history."""

import json
import sqlite3
import time
from pathlib import Path

import pytest

from shared import paths
from tests import scratch
from tests.commands import person as persons
from tests.commands.person import SESSION, Person

PAYLOAD = Path(__file__).parents[2] / "payloads" / "hooks" / "session-end.2.1.330.json"


@pytest.fixture
def person(tmp_path: Path) -> Person:
    return persons.make(tmp_path)


def end(person: Person) -> float:
    """Run the hook, which is silent; return its seconds."""
    payload = json.loads(PAYLOAD.read_text()) | {
        "session_id": SESSION,
        "transcript_path": str(person.transcript().path),
        "cwd": str(person.project),
    }
    begin = time.monotonic()
    result = scratch.run(person.root, json.dumps(payload).encode())
    assert (result.returncode, result.stdout, result.stderr) == (0, b"", b"")
    return time.monotonic() - begin


def calls(person: Person) -> int:
    with sqlite3.connect(f"file:{paths.history_store(str(person.root))}?mode=ro", uri=True) as store:
        (count,) = store.execute("SELECT count(*) FROM calls").fetchone()
    store.close()
    return int(count)


def test_nothing_is_stored_if_the_person_has_no_history(person: Person) -> None:
    person.transcript().answer(20_000)

    end(person)

    assert not Path(paths.history_store(str(person.root))).exists()
    assert scratch.log(person.root) == []


def test_only_the_session_and_its_subagents_are_stored(person: Person) -> None:
    person.tidegauge("history", "sync")
    session = person.transcript()
    session.answer(20_000, id="one")
    session.subagent("a1").answer(9_000, id="two")
    person.transcript("7a000000-0000-4000-8000-000000000009").answer(30_000, id="three")

    end(person)

    assert calls(person) == 2


def test_rows_follow_the_persons_settings_as_in_a_sync(person: Person) -> None:
    person.tidegauge("history", "sync")
    (person.project / ".claude").mkdir(exist_ok=True)
    (person.project / ".claude" / "tidegauge.toml").write_text("[levels.warning]\nremaining = 60\n")
    person.transcript().answer(100_000)

    end(person)

    with sqlite3.connect(paths.history_store(str(person.root))) as store:
        assert store.execute("SELECT level FROM calls").fetchall() == [("NORMAL",)]
    store.close()


def test_it_can_be_switched_off(person: Person) -> None:
    person.tidegauge("history", "sync")
    person.configure("[hooks]\nhistory = false\n")
    person.transcript().answer(20_000)

    end(person)

    assert calls(person) == 0


def test_a_store_locked_by_another_process_is_given_up_in_time(person: Person) -> None:
    person.tidegauge("history", "sync")
    person.transcript().answer(20_000)
    other = sqlite3.connect(paths.history_store(str(person.root)), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")

    took = end(person)

    other.close()
    assert took < 15
    assert scratch.log(person.root) == []
    assert calls(person) == 0


def test_a_damaged_store_leaves_a_log_line_and_no_error_for_the_client(person: Person) -> None:
    person.tidegauge("history", "sync")
    person.transcript().answer(20_000)
    Path(paths.history_store(str(person.root))).write_bytes(b"no database at all " * 500)

    end(person)

    assert "history.sqlite" in "".join(scratch.log(person.root))


def test_a_store_that_lacks_a_table_leaves_a_line_in_the_log(person: Person) -> None:
    person.tidegauge("history", "sync")
    person.transcript().answer(20_000)
    store = sqlite3.connect(paths.history_store(str(person.root)))
    store.execute("DROP TABLE calls")
    store.commit()
    store.close()

    end(person)

    assert "no such table" in "".join(scratch.log(person.root))
