"""The log of tool calls as the reader of a transcript makes it."""

import json
from pathlib import Path

import pytest

from benchmarks.sessions.writer import DIRECTORY, MadeUpSession
from monitor.activity import tool_calls
from monitor.activity.tool_calls import DONE, FAILED, WAITING
from shared import paths
from shared.transcript import jsonl
from tests.monitor.activity.log_reader import LogReader, states


def test_calls_are_kept_with_their_turns_lines_and_results(log_reader: LogReader, session: MadeUpSession) -> None:
    path = session.make("src/app.py", 50)
    session.prompt("Go on.")
    session.read(path)
    session.run("make", "no rule", failed=True)
    session.say()
    session.read(path, 10, 5)
    session.improve(path)
    log = log_reader.log(session)
    assert states(log) == [("read", DONE), ("command", FAILED), ("part", DONE), ("edit", DONE)]
    assert [(call.turn, call.prompt) for call in log.calls] == [(1, 1), (2, 1), (4, 1), (5, 1)]
    assert (log.turns, log.call_count, log.directory) == (5, 4, DIRECTORY)
    assert log.started.startswith("2026-01-05T09:00:")
    assert log.calls[0].tokens > 200


def test_no_text_is_kept(log_reader: LogReader, session: MadeUpSession) -> None:
    path = session.make("src/app.py", 50)
    session.prompt("the secret words")
    session.read(path)
    old, new = session.improve(path)
    session.write(path, ["the secret words", "other secret words"])
    log_reader.log(session)
    contents = Path(paths.activity(str(log_reader.root), log_reader.session_id)).read_text()
    for words in ("secret words", old.strip(), new.strip()):
        assert words not in contents


def test_incremental_reading_equals_reading_at_once(
    log_reader: LogReader, session: MadeUpSession, tmp_path: Path
) -> None:
    path = session.make("src/app.py", 50)
    for _ in range(5):
        session.read(path)
        session.improve(path)
        session.run("make", session.code(), failed=True)
        session.prompt("Go on.")
    session.compaction()
    for _ in range(5):
        session.read(path)
        session.improve(path)
    for cut in range(0, len(session.transcript), 997):
        log_reader.path.write_bytes(session.transcript[:cut])
        log_reader.log()
    at_once = LogReader(tmp_path, tmp_path / "at once.jsonl")
    assert log_reader.log(session) == at_once.log(session)


def test_a_compaction_starts_over(log_reader: LogReader, session: MadeUpSession) -> None:
    path = session.make("src/app.py", 50)
    session.read(path)
    session.improve(path)
    session.compaction()
    assert log_reader.log(session).calls == []
    session.read(path)
    log = log_reader.log(session)
    assert (len(log.calls), log.call_count, log.calls[0].turn) == (1, 3, 3)
    assert states(log) == [("read", DONE)]


def test_a_file_that_was_rewritten_is_read_again(log_reader: LogReader, session: MadeUpSession) -> None:
    path = session.make("src/app.py", 50)
    for _ in range(4):
        session.read(path)
    assert log_reader.log(session).call_count == 4
    other = MadeUpSession("another")
    other.run("make")
    assert log_reader.log(other).call_count == 1


@pytest.mark.parametrize("document", [b"", b"{", b'{"activity": 5}', b"\x00" * 100])
def test_a_damaged_log_costs_one_full_reading(log_reader: LogReader, session: MadeUpSession, document: bytes) -> None:
    session.run("make")
    log_reader.log(session)
    Path(paths.activity(str(log_reader.root), log_reader.session_id)).write_bytes(document)
    assert log_reader.log().call_count == 1


def test_an_overlong_line_is_skipped(log_reader: LogReader, session: MadeUpSession) -> None:
    path = session.make("src/app.py", 50)
    session.read(path)
    session.call("Bash", {"command": "make big"}, "x" * (jsonl.LONGEST + 1))
    session.read(path)
    assert states(log_reader.log(session)) == [("read", DONE), ("command", WAITING), ("read", DONE)]


def test_git_commands_that_record_or_replace_the_work_are_counted(
    log_reader: LogReader, session: MadeUpSession
) -> None:
    for command in ("git status", "git add . && git commit -m x", "git -C /x stash", "git checkout app.py", "git log"):
        session.run(command)
    log = log_reader.log(session)
    assert ([call.revisions for call in log.calls], log.revisions) == ([0, 0, 1, 2, 3], 3)


def test_a_call_written_twice_counts_once(log_reader: LogReader, session: MadeUpSession) -> None:
    session.run("git commit -m x")
    session.lines.insert(0, session.lines[0])
    log = log_reader.log(session)
    assert (log.call_count, log.revisions) == (1, 1)


@pytest.mark.parametrize(("share", "is_emptied"), [(0.95, False), (0.6, True)])
def test_a_window_that_shrinks_without_a_boundary_starts_the_log_over(
    log_reader: LogReader, session: MadeUpSession, share: float, *, is_emptied: bool
) -> None:
    session.tokens = 100_000
    session.run("make")
    session.tokens = round(100_000 * share)
    session.run("make again")
    log = log_reader.log(session)
    assert len(log.calls) == (1 if is_emptied else 2)
    assert log.window_tokens == round(100_000 * share) + 3  # what came uncached


def test_a_plan_handed_to_a_new_context_starts_the_log_over(log_reader: LogReader, session: MadeUpSession) -> None:
    session.run("make")
    session.prompt("Implement the following plan:\n\n# A plan")
    session.run("make again")
    log = log_reader.log(session)
    assert (len(log.calls), log.prompts) == (1, 1)


def test_a_prompt_written_while_the_agent_works_counts_too(log_reader: LogReader, session: MadeUpSession) -> None:
    session.prompt("Begin.")
    for text in ("no, take that back", "<task-notification>done</task-notification>", '{"task_id":"1"}', None):
        line = {"type": "queue-operation", "operation": "enqueue", "content": text}
        session.lines.append(json.dumps(line).encode() + b"\n")
    session.run("make")
    assert [call.prompt for call in log_reader.log(session).calls] == [2]


def test_lines_of_subagents_do_not_count(log_reader: LogReader, session: MadeUpSession) -> None:
    session.run("make")
    line = json.loads(session.lines[0]) | {"isSidechain": True}
    session.lines.append(json.dumps(line).encode() + b"\n")
    assert log_reader.log(session).call_count == 1


def test_the_log_is_bounded(monkeypatch: pytest.MonkeyPatch, log_reader: LogReader, session: MadeUpSession) -> None:
    monkeypatch.setattr(tool_calls, "MOST_CALLS", 40)
    monkeypatch.setattr(tool_calls, "FEWEST_CALLS", 30)
    path = session.make("src/app.py", 50)
    for _ in range(100):
        session.read(path)
    log = log_reader.log(session)
    assert 30 <= len(log.calls) <= 40
    assert log.call_count == 100
    assert log.calls[0].turn > 60
    assert all(call.state == DONE for call in log.calls)


def test_a_call_in_progress_has_no_result(log_reader: LogReader, session: MadeUpSession) -> None:
    session.run("make")
    del session.lines[1:]
    (call,) = log_reader.log(session).calls
    assert (call.turn, call.kind, call.prompt, call.state) == (1, "command", 0, WAITING)
    fields = (call.path, call.removed, call.added, call.outcome, call.tokens, call.revisions)
    assert fields == ("", [], [], 0, 0, 0)
    assert (call.first, call.last) == (0, 0)
