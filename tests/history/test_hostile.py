"""Hostile transcripts and stores: one line says what is wrong, and the rest is processed."""

import importlib
import os
import sqlite3
import stat
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from commands import run
from history.bill.calls import load
from history.bill.levers import levers, restart_points
from history.page import figures
from history.questions import QUESTIONS
from history.reading.calls.conversation import ConversationReading
from history.store import store
from history.store.dictionary import Dictionary
from history.store.schema import PartKind
from shared import paths
from shared.settings.config import Config, HistorySettings
from tests import peak_memory, processor_time, scratch
from tests.history.questions.stored import Stored
from tests.history.trees import ask, synced, transcript, turn, warn

NAMES = [f"{'secret' * (number % 7)}_{number * 7_919 % 3_001}_.py" for number in range(3_000)]
"""In no order and of many lengths, so that SQLite splits pages and leaves names in their free space."""
HASHED = Config(history=HistorySettings(hash_paths=True))


def ask_everything(root: str) -> None:
    with store.for_reading(root) as opened:
        for question in QUESTIONS.values():
            module = importlib.import_module(question)
            module.presentation(module.figures(opened, 0))
        figures.collect(opened, 0, Config(), time.time())


def test_a_transcript_that_cannot_be_read_is_named_and_the_others_are_read(
    root: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("first", "poison", "third"):
        turn(transcript(root, name), 20_000, name)
    add = ConversationReading.add

    def failing(reading: ConversationReading, data: bytes) -> None:
        if b"msg_poison" in data:
            raise KeyError("poison")
        add(reading, data)

    monkeypatch.setattr(ConversationReading, "add", failing)

    (problem,) = synced(root).unreadable

    assert problem.path.endswith("poison.jsonl")
    assert problem.reason == "not read: KeyError: 'poison'"
    assert ask(root, "SELECT count(*) FROM calls") == [(2,)]
    monkeypatch.undo()
    assert synced(root).unreadable == []
    assert ask(root, "SELECT count(*) FROM calls") == [(3,)]


def test_a_row_the_store_rejects_holds_back_only_its_transcript(root: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("first", "poison", "third"):
        transcript(root, name).answer(20_000, id=name, model=f"claude-{name}")
    id_of = vars(Dictionary)["_id"]

    def refusing(dictionary: Dictionary, table: str, row: dict[str, Any]) -> int:
        if row.get("text") == "claude-poison":
            raise OverflowError("too large")
        return int(id_of(dictionary, table, row))

    monkeypatch.setattr(Dictionary, "_id", refusing)

    (problem,) = synced(root).unreadable

    assert (Path(problem.path).name, problem.reason) == ("poison.jsonl", "not stored: OverflowError: too large")
    assert ask(root, "SELECT text FROM names WHERE text LIKE 'claude%' ORDER BY text") == [
        ("claude-first",),
        ("claude-third",),
    ]


def test_absurd_counts_are_summed_without_an_overflow(root: str) -> None:
    session = transcript(root)
    for number in range(4_000):
        session.answer(10**12 - number % 7, id=f"m{number}", tool_use_ids=())
    synced(root)

    ask_everything(root)


def test_twenty_thousand_warnings_are_counted_in_a_second_or_two(root: str) -> None:
    session = transcript(root)
    session.answer(140_000)
    synced(root)
    with store.for_writing(root) as opened, store.transaction(opened):
        ((cycle,),) = opened.execute("SELECT id FROM cycles")
        for number in range(20_000):
            row = (number, cycle, 1, 1_790_000_000 + number, "WARNING")
            opened.execute("INSERT INTO warnings (key, cycle, step, at, level) VALUES (?,?,?,?,?)", row)
            compaction = (number, cycle, 1_790_000_000 + number, "auto")
            opened.execute("INSERT INTO compactions (key, cycle, at, trigger) VALUES (?,?,?,?)", compaction)
    with processor_time.at_most(3):
        ask_everything(root)


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE parts SET path = 999999, name = 999999, subagent = 999999",
        "UPDATE parts SET kind = 'no kind', certainty = 77",
        "UPDATE parts SET tokens = 'many'",
        "UPDATE calls SET level = 'ABSURD', rebuild = 99, rebuilt = 'much'",
        "UPDATE calls SET fill = 'full', at = 'today', window = 999999, model = 999999",
        "UPDATE calls SET cycle = 999999",
        "UPDATE warnings SET outcome = 77, level = 4, at = x'00ff'",
        "UPDATE compactions SET summary = 'long', milliseconds = 'slow', trigger = 4, at = 'then'",
        "UPDATE rate_limits SET used = 'all', at = 'then', resets_at = 'soon'",
        "UPDATE transcripts SET project = 'nowhere', session = 4, state = 'no state', position = 'far'",
        "DELETE FROM windows",
        "DELETE FROM cycles",
        "DELETE FROM meta",
        "UPDATE meta SET value = 'no salt'",
    ],
)
def test_a_store_of_other_rows_gives_an_answer_or_one_line(
    root: str, damage: str, capsys: pytest.CaptureFixture[str]
) -> None:
    session = transcript(root)
    turn(session, 20_000, "1")
    turn(session, 150_000, "2")
    warn(session)
    session.boundary()
    turn(session, 30_000, "3")
    synced(root)
    with store.for_writing(root) as opened:
        opened.execute("INSERT INTO rate_limits VALUES ('5h', 1790000000, 40, 1790001000)")
        opened.execute(damage)
    turn(session, 40_000, "4")

    for command in (["sync"], *([question] for question in QUESTIONS), *([q, "--json"] for q in QUESTIONS)):
        code = run(["history", *command], root)
        output = capsys.readouterr().err
        assert code in (0, 1), (command, output)
        assert len(output.splitlines()) <= 1, (command, output)
        assert "Traceback" not in output
    assert run(["report"], root) in (0, 1)
    assert len(capsys.readouterr().err.splitlines()) <= 1


def plain_names(root: str) -> set[str]:
    """The plain paths left in the store's files."""
    folder = Path(paths.history_store(root)).parent
    data = b"".join(path.read_bytes() for path in folder.glob("history.sqlite*"))
    return {name for name in NAMES if name.encode() in data}


def store_with_names(root: str) -> None:
    transcript(root).answer(20_000)
    synced(root)
    with store.for_writing(root) as opened, store.transaction(opened):
        for name in NAMES:
            opened.execute("INSERT INTO paths (directory, name) VALUES (1, ?)", (name,))
    assert plain_names(root)


def test_after_hashing_no_plain_name_is_in_the_file(root: str) -> None:
    store_with_names(root)

    assert synced(root, HASHED).is_erased

    assert plain_names(root) == set()


def test_plain_names_left_during_a_read_are_reported_and_removed_by_the_next_sync(root: str) -> None:
    store_with_names(root)
    with closing(sqlite3.connect(paths.history_store(root), isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM paths").fetchall()
        result = synced(root, HASHED)
        reader.execute("ROLLBACK")

    assert not result.is_erased
    assert synced(root, HASHED).is_erased
    assert plain_names(root) == set()


@pytest.mark.skipif(sys.platform == "win32", reason="wait4")
def test_a_large_store_is_not_held_in_memory_while_plain_names_are_removed(root: str) -> None:
    with store.for_writing(root) as opened, store.transaction(opened):
        opened.executemany("INSERT INTO names (text) VALUES (?)", ((f"{number:1000}",) for number in range(100_000)))
    program = (
        "import sys; sys.path.insert(0, sys.argv[1]); from history import retention; from history.store import store\n"
        "with store.for_writing(sys.argv[2]) as opened:\n"
        "    retention.hash_paths(opened, is_wanted=True)\n"
        "    print(retention.erase(opened))"
    )

    output, _, peak = peak_memory.measure([sys.executable, "-c", program, str(scratch.REPOSITORY), root])

    assert output == b"True\n"
    assert peak < 90 << 20


@pytest.fixture
def lax() -> Any:
    before = os.umask(0o022)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.usefixtures("lax")
def test_every_directory_created_for_the_store_is_private(root: str, tmp_path: Path) -> None:
    deep = tmp_path / "share" / "deep" / "tidegauge"
    Path(root, "directories.json").write_text(f'{{"config": "{deep}", "log": "{deep}", "history": "{deep}"}}')

    synced(root)

    assert [mode(path) for path in (deep, deep.parent, deep.parent.parent)] == [0o700] * 3


@pytest.mark.usefixtures("lax")
def test_a_store_readable_by_others_becomes_private_again(root: str) -> None:
    synced(root)
    path = Path(paths.history_store(root))
    path.chmod(0o644)

    synced(root)

    assert mode(path) == 0o600


@pytest.mark.parametrize("opening", [store.for_writing, store.for_reading])
@pytest.mark.parametrize("ending", ["", "-wal"])
def test_a_link_in_place_of_the_store_is_not_followed(
    root: str, tmp_path: Path, opening: Callable[[str], Any], ending: str
) -> None:
    synced(root)
    path, elsewhere = Path(paths.history_store(root) + ending), tmp_path / "elsewhere"
    elsewhere.write_bytes(path.read_bytes() if path.exists() else b"")
    path.unlink(missing_ok=True)
    path.symlink_to(elsewhere)
    before = elsewhere.read_bytes()

    with pytest.raises(store.StoreError, match="is a link"), opening(root):
        pass

    assert elsewhere.read_bytes() == before


@pytest.mark.parametrize("opening", [store.for_writing, store.for_reading])
@pytest.mark.parametrize("make", [os.mkdir, getattr(os, "mkfifo", os.mkdir)])
def test_a_non_file_in_place_of_the_store_is_named(
    root: str, opening: Callable[[str], Any], make: Callable[[str], None]
) -> None:
    path = paths.history_store(root)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    make(path)

    with pytest.raises(store.StoreError, match=r"history\.sqlite is not a file: move it away"), opening(root):
        pass


def test_a_restart_at_every_prompt_is_replayed_in_one_pass(stored: Stored) -> None:
    session = stored.conversation("s")
    with store.transaction(stored.rows):
        for number in range(3_000):
            session.call(
                session.part(PartKind.PROMPT, 450_000),
                session.tool(1_000, path=f"/p/{number}.py"),
                session.tool(10, "Edit", path=f"/p/{number // 2}.py"),
            )
    with processor_time.at_most(3):
        bill = load(stored.asked(), 0, {})
        levers(bill)

        assert max(point.restarts for point in restart_points(bill)) == 2_999
