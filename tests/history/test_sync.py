"""The store follows the transcripts: exactly, once, despite interruptions and other writers."""

import itertools
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest

from history import retention, sync, writing
from history.reading import processes, reading
from history.reading.transcripts import all_in
from history.store import schema, store
from history.store.stored_paths import StoredPaths
from shared.settings.config import Config, HistorySettings
from tests.history import trees
from tests.history.trees import ask, counted, drop_store, rows, stored, synced, transcript, tree, turn


def test_each_call_is_counted_once_over_all_files(root: str) -> None:
    tree(root)

    result = synced(root)

    assert result.files == result.read == 4
    assert stored(root) == counted(root)
    assert stored(root)[0] == 6


def test_the_largest_usage_of_a_calls_lines_counts_in_any_file(root: str) -> None:
    for name, output in (("first", 300), ("second", 700), ("third", 200)):
        session = transcript(root, name)
        session.answer(20_000, id="msg_1", output=2, tool_use_ids=())
        session.answer(20_000, id="msg_1", output=output, tool_use_ids=())

    synced(root)

    assert ask(root, "SELECT output FROM calls") == [(700,)]


def test_a_request_of_another_id_is_another_call(root: str) -> None:
    session = transcript(root)
    session.answer(20_000, id="msg_1", tool_use_ids=(), top={"requestId": "req_1"})
    session.answer(20_000, id="msg_1", tool_use_ids=(), top={"requestId": "req_2"})

    synced(root)

    assert stored(root)[0] == 2


def test_a_second_sync_reads_nothing_and_changes_nothing(root: str) -> None:
    tree(root)
    synced(root)
    before = rows(root)

    result = synced(root)

    assert result.read == 0
    assert rows(root) == before


def test_appended_lines_are_added_and_other_transcripts_are_not_read_again(root: str) -> None:
    session = transcript(root)
    turn(session, 20_000, "1")
    turn(transcript(root, "other"), 25_000, "other")
    synced(root)
    turn(session, 30_000, "2")

    assert synced(root).read == 1
    assert stored(root) == counted(root)


def test_a_half_written_line_waits_and_a_complete_one_without_newline_counts(root: str) -> None:
    session = transcript(root)
    turn(session, 20_000, "1")
    session.answer(30_000, id="msg_2", tool_use_ids=())
    whole = session.path.read_bytes().removesuffix(b"\n")
    session.path.write_bytes(whole[:-40])
    synced(root)
    assert stored(root)[0] == 1

    session.path.write_bytes(whole)
    synced(root)
    assert stored(root)[0] == 2

    turn(session, 31_000, "3")
    synced(root)
    assert stored(root)[0] == 3


def test_sessions_pruned_by_the_client_stay(root: str) -> None:
    tree(root)
    synced(root)
    before = rows(root)
    for path in Path(trees.client_of(root)).rglob("*.jsonl"):
        path.unlink()

    assert synced(root).files == 0
    assert rows(root) == before


def test_a_new_parser_version_rereads_existing_transcripts_and_keeps_removed_ones(
    root: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree(root)
    synced(root)
    before = rows(root)
    (Path(trees.client_of(root)) / "projects" / "-home-dev-other" / "third.jsonl").unlink()
    with store.for_writing(root) as opened:
        opened.execute("UPDATE calls SET output = 9 WHERE fill = 20000")
    for module in (writing, sync):
        monkeypatch.setattr(module, "PARSER", schema.PARSER + 1)

    result = synced(root)

    assert result.read == 3
    assert rows(root) == before


def test_a_rewritten_transcript_is_read_again_and_paid_calls_stay(root: str) -> None:
    session = transcript(root)
    turn(session, 20_000, "1")
    turn(session, 30_000, "2")
    synced(root)
    session.path.unlink()
    session = transcript(root)
    turn(session, 25_000, "3")

    synced(root)

    assert stored(root)[0] == 3


def test_a_session_without_any_message_does_not_count(root: str) -> None:
    path = transcript(root).path
    path.write_text('{"type":"summary","summary":"a title","leafUuid":"x"}\n')
    transcript(root, "empty")

    synced(root)

    assert ask(root, "SELECT count(first_at) FROM transcripts") == [(0,)]


def test_invalid_or_overlong_lines_are_lost_alone(root: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "LONGEST", 20_000)
    session = transcript(root)
    turn(session, 20_000, "1")
    session.write(b"no json\n[1]\n\xff\xfe\n\n")
    session.write(b'{"type":"user","message":{"content":"' + b"x" * 50_000 + b'"}}\n')
    session.answer(30_000, id="msg_2", tool_use_ids=())
    session.write(b'{"type":"assistant","message":{"id":"m","model":"x","usage":{"input_tokens":"many"}}}\n')
    session.write(b'{"type":"assistant","message":{"id":"n","model":"x","usage":{"input_tokens":%d}}}\n' % 10**30)

    synced(root)

    assert ask(root, "SELECT fill FROM calls ORDER BY fill") == [(20_000,), (30_000,)]


def test_an_unreadable_file_is_named_and_lost_alone(root: str) -> None:
    tree(root)
    transcripts = [msgspec.structs.replace(file, path=file.path + b"/x") for file in all_in(trees.client_of(root))]

    files = [transcripts[0], *all_in(trees.client_of(root))]
    readings = list(processes.read_all(files, Config(), StoredPaths(None)))

    assert [type(entry) for entry in readings] == [processes.Unreadable, *[reading.TranscriptReading] * 4]


@pytest.mark.skipif(sys.platform != "linux", reason="two processes read on Linux alone")
def test_two_processes_read_the_same_rows_as_one(root: str, monkeypatch: pytest.MonkeyPatch) -> None:
    tree(root)
    synced(root)
    before = rows(root)
    drop_store(root)
    monkeypatch.setattr(processes, "_WORTHWHILE", 0)

    synced(root)

    assert rows(root) == before


def test_paths_are_hashed_from_the_first_sync_with_the_setting(root: str) -> None:
    session = transcript(root)
    turn(session, 20_000, "1")
    synced(root)
    assert ask(root, "SELECT path FROM transcripts") == [(str(session.path),)]
    turn(session, 30_000, "2")

    synced(root, Config(history=HistorySettings(hash_paths=True)))
    turn(session, 40_000, "3")
    synced(root)

    assert ask(root, "SELECT path FROM transcripts") == [("",)]
    assert all(len(name) == 16 and int(name, 16) for (name,) in ask(root, "SELECT name FROM paths"))
    assert stored(root) == counted(root)


def test_a_sync_that_began_before_paths_were_hashed_leaves_no_plain_ones(root: str) -> None:
    tree(root)
    plain = list(processes.read_all(list(all_in(trees.client_of(root))), Config(), StoredPaths(None)))
    with store.for_writing(root) as opened:
        retention.hash_paths(opened, is_wanted=True)
        writer = writing.TranscriptWriter(opened)
        for one in plain:
            assert isinstance(one, reading.TranscriptReading)
            writer.write(one)
    assert ask(root, "SELECT name FROM paths UNION SELECT path FROM transcripts") == []

    synced(root)

    assert stored(root) == counted(root)


def test_rows_missing_from_a_transcript_stay_when_paths_are_hashed(root: str) -> None:
    session = transcript(root)
    turn(session, 20_000, "1")
    synced(root)
    turn(session, 30_000, "2")
    session.path.write_bytes(session.path.read_bytes().splitlines(keepends=True)[-3])

    synced(root, Config(history=HistorySettings(hash_paths=True)))

    assert ask(root, "SELECT fill FROM calls ORDER BY fill") == [(20_000,), (30_000,)]


def test_expired_rows_are_deleted_and_do_not_come_back(root: str) -> None:
    session = transcript(root)
    for age in (*range(0, 30, 3), 31):
        session.answer(20_000 + age, id=f"msg_{age}", tool_use_ids=(), at=time.time() - age * 86_400)
    config = Config(history=HistorySettings(keep_days=30))

    for _ in range(2):
        synced(root, config)
        assert ask(root, "SELECT fill FROM calls ORDER BY fill") == [(20_000 + age,) for age in range(0, 30, 3)]
    assert ask(root, "SELECT count(*) FROM parts LEFT JOIN calls ON calls.id = call WHERE calls.id IS NULL") == [(0,)]


def test_a_clock_that_is_months_ahead_deletes_nothing(root: str, monkeypatch: pytest.MonkeyPatch) -> None:
    session, now = transcript(root), time.time()
    for age in range(0, 27, 3):
        session.answer(20_000 + age, id=f"msg_{age}", tool_use_ids=(), at=now - age * 86_400)
    session.answer(30_000, id="msg_ahead", tool_use_ids=(), at=now + 100 * 86_400)
    monkeypatch.setattr(time, "time", lambda: now + 100 * 86_400)

    synced(root, Config(history=HistorySettings(keep_days=30)))

    assert ask(root, "SELECT count(*) FROM calls") == [(10,)]


def test_a_transcript_that_lost_its_lines_keeps_its_rows(root: str) -> None:
    session = transcript(root)
    turn(session, 20_000, "1")
    synced(root)
    query = "SELECT names.name, version, first_at, last_at FROM transcripts JOIN paths AS names ON names.id = project"
    before = ask(root, query)

    session.path.write_bytes(bytes(session.path.stat().st_size))
    synced(root)

    assert ask(root, query) == before != []
    assert stored(root)[0] == 1


@pytest.mark.parametrize("looks", [1, 3])
def test_unread_parts_of_an_ending_session_are_left_to_the_next_sync(
    root: str, monkeypatch: pytest.MonkeyPatch, looks: int
) -> None:
    """The first check of the time is at the end of its subagent, the third one within its own transcript."""
    synced(root)
    session = transcript(root)
    turn(session.subagent("a1"), 20_000, "1")
    for number in range(30):
        session.answer(20_000, id=f"msg_{number}", tool_use_ids=(), text="x" * 100_000)
    until = time.monotonic() + 3_600
    moments = itertools.repeat(until - 3_600, looks - 1)  # and then the third for the reading is over
    monkeypatch.setattr(reading, "time", SimpleNamespace(monotonic=lambda: next(moments, until - 2_300)))

    sync.one_session(root, str(session.path), Config(), until)

    assert ask(root, "SELECT count(*) FROM transcripts") == [(0 if looks == 1 else 1,)]
    monkeypatch.undo()
    synced(root)
    assert stored(root) == counted(root)
