import pytest

from history import fresh_starts
from history.fresh_starts import median_fresh_start
from history.store import store
from shared.settings.config import Config, HistorySettings
from tests import processor_time
from tests.history.questions.stored import START, Stored
from tests.history.trees import synced, transcript

PROJECT = "/home/p/work"


def test_the_median_is_over_the_first_answers_of_the_projects_sessions(stored: Stored) -> None:
    for number, tokens in enumerate((20_000, 60_000, 30_000)):
        session = stored.conversation(f"s{number}")
        session.call(session.tool(tokens))
        session.call(session.tool(100_000))
    stored.conversation("s0", agent="helper").call(stored.conversation("x").tool(5_000))
    elsewhere = stored.conversation("other", project="/home/p/elsewhere")
    elsewhere.call(elsewhere.tool(90_000))

    assert median_fresh_start(stored.root, PROJECT) == 30_000
    assert median_fresh_start(stored.root, "/home/p/elsewhere") == 90_000
    assert median_fresh_start(stored.root, "/home/p/never") is None


def test_the_beginning_of_a_compacted_window_does_not_count(stored: Stored) -> None:
    session = stored.conversation("s")
    session.call(session.tool(40_000))
    session.compaction()
    session.call(session.tool(10_000))

    assert median_fresh_start(stored.root, PROJECT) == 40_000


def test_only_the_newest_sessions_count(stored: Stored, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fresh_starts, "_SESSIONS", 3)
    for number in range(6):
        session = stored.conversation(f"s{number}", at=START + 1_000 * number)
        session.call(session.tool(10_000 * (number + 1)))

    assert median_fresh_start(stored.root, PROJECT) == 50_000


def test_without_a_store_nothing_is_known_and_none_is_created(root: str) -> None:
    assert median_fresh_start(root, PROJECT) is None
    assert not store.exists(root)


def test_with_hashed_paths_a_project_is_recognised(root: str) -> None:
    transcript(root).answer(20_000)
    synced(root, Config(history=HistorySettings(hash_paths=True)))

    assert median_fresh_start(root, "/home/dev/shop") == 20_000


def test_it_is_quick_in_a_large_store(stored: Stored) -> None:
    for number in range(300):
        session = stored.conversation(f"s{number}")
        for _ in range(10):
            session.call(session.tool(1_000 + number))

    with processor_time.at_most(0.1):
        median_fresh_start(stored.root, PROJECT)


def test_a_damaged_store_does_not_break_the_caller(stored: Stored) -> None:
    session = stored.conversation("s")
    session.call(session.tool(40_000))
    stored.rows.execute("DROP TABLE cycles")

    assert median_fresh_start(stored.root, PROJECT) is None
