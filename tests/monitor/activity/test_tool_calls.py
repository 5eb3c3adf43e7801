"""The log of tool calls as the reader of a transcript makes it."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from benchmarks.sessions.writer import DIRECTORY, MadeUpSession
from monitor.activity import reader as transcript_reader
from monitor.activity import tool_calls
from monitor.activity.tool_calls import DONE, FAILED, REFUSED, WAITING, ToolCallLog
from shared import lines, paths

NAME = "session"


class Reader:
    """Reads a growing transcript as the hooks do, each time in a new process's place."""

    def __init__(self, root: Path, path: Path) -> None:
        self.root, self.path = root, path

    def log(self, session: MadeUpSession | None = None) -> ToolCallLog:
        if session is not None:
            self.path.write_bytes(session.transcript)
        return transcript_reader.read(str(self.root), NAME, str(self.path)).log


@pytest.fixture
def reader(root: Path, tmp_path: Path) -> Reader:
    return Reader(root, tmp_path / "transcript.jsonl")


@pytest.fixture
def session() -> MadeUpSession:
    return MadeUpSession("log")


def states(log: ToolCallLog) -> list[tuple[str, int]]:
    return [(call.kind, call.state) for call in log.calls]


def test_calls_are_kept_with_their_turns_lines_and_results(reader: Reader, session: MadeUpSession) -> None:
    path = session.make("src/app.py", 50)
    session.prompt("Go on.")
    session.read(path)
    session.run("make", "no rule", failed=True)
    session.say()
    session.read(path, 10, 5)
    session.improve(path)
    found = reader.log(session)
    assert states(found) == [("read", DONE), ("command", FAILED), ("part", DONE), ("edit", DONE)]
    assert [(call.turn, call.line, call.prompt) for call in found.calls] == [(1, 2, 1), (2, 4, 1), (4, 7, 1), (5, 9, 1)]
    assert (found.turns, found.call_count, found.directory) == (5, 4, DIRECTORY)
    assert found.started.startswith("2026-01-05T09:00:")
    assert found.calls[0].tokens > 200


def test_no_text_is_kept(reader: Reader, session: MadeUpSession) -> None:
    path = session.make("src/app.py", 50)
    session.prompt("the secret words")
    session.read(path)
    old, new = session.improve(path)
    session.write(path, ["the secret words", "other secret words"])
    reader.log(session)
    kept = Path(paths.activity(str(reader.root), NAME)).read_text()
    for words in ("secret words", old.strip(), new.strip()):
        assert words not in kept


def test_reading_on_gives_what_reading_at_once_does(reader: Reader, session: MadeUpSession, tmp_path: Path) -> None:
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
        reader.path.write_bytes(session.transcript[:cut])
        reader.log()
    at_once = Reader(tmp_path, tmp_path / "at once.jsonl")
    assert reader.log(session) == at_once.log(session)


def test_a_compaction_starts_over(reader: Reader, session: MadeUpSession) -> None:
    path = session.make("src/app.py", 50)
    session.read(path)
    session.improve(path)
    session.compaction()
    assert reader.log(session).calls == []
    session.read(path)
    found = reader.log(session)
    assert (len(found.calls), found.call_count, found.since, found.first_turn) == (1, 3, 2, 3)
    assert states(found) == [("read", DONE)]


def test_a_file_that_was_rewritten_is_read_again(reader: Reader, session: MadeUpSession) -> None:
    path = session.make("src/app.py", 50)
    for _ in range(4):
        session.read(path)
    assert reader.log(session).call_count == 4
    other = MadeUpSession("another")
    other.run("make")
    assert reader.log(other).call_count == 1


@pytest.mark.parametrize("document", [b"", b"{", b'{"activity": 5}', b"\x00" * 100])
def test_a_damaged_memory_costs_one_reading(reader: Reader, session: MadeUpSession, document: bytes) -> None:
    session.run("make")
    reader.log(session)
    Path(paths.activity(str(reader.root), NAME)).write_bytes(document)
    assert reader.log().call_count == 1


def test_a_line_too_long_is_passed_over(reader: Reader, session: MadeUpSession) -> None:
    path = session.make("src/app.py", 50)
    session.read(path)
    session.call("Bash", {"command": "make big"}, "x" * (lines.LONGEST + 1))
    session.read(path)
    assert states(reader.log(session)) == [("read", DONE), ("command", WAITING), ("read", DONE)]


def test_a_call_that_was_refused_has_not_failed(reader: Reader, session: MadeUpSession) -> None:
    session.call("Bash", {"command": "git push"}, "The user doesn't want to proceed with this tool use.", failed=True)
    assert states(reader.log(session)) == [("command", REFUSED)]


def test_a_read_that_the_client_answers_with_an_earlier_one_counts_as_the_same(
    reader: Reader, session: MadeUpSession
) -> None:
    path = session.make("src/app.py", 50)
    session.read(path)
    session.call("Read", {"file_path": path}, "Wasted call — file unchanged since your last Read.")
    first, second = reader.log(session).calls
    assert first.outcome == second.outcome != 0


def test_a_new_file_that_keeps_the_edits_discards_none(reader: Reader, session: MadeUpSession) -> None:
    path = session.make("src/app.py", 50)
    session.improve(path)
    session.write(path, [*session.files[path], session.code()])
    session.improve(path)
    session.write(path, [session.code()])
    session.write(path, [session.code()])
    assert [call.discards for call in reader.log(session).calls] == [0, 0, 0, 3, 0]


@pytest.mark.parametrize(
    "given",
    [
        {"edits": [{"old_string": "one\nlimit = 30", "new_string": "one\nlimit = 60"}, "nonsense"]},
        {"old_string": "limit = 30", "new_string": "limit = 60"},
    ],
)
def test_an_edit_is_the_lines_that_it_changes(reader: Reader, session: MadeUpSession, given: dict[str, Any]) -> None:
    session.call("MultiEdit", {"file_path": "/x", **given}, "ok")
    [call] = reader.log(session).calls
    assert (len(call.removed), len(call.added)) == (1, 1)


@pytest.mark.parametrize(
    "given", [{}, {"file_path": 5}, {"file_path": "/x", "old_string": None}, {"file_path": "/x", "edits": "no"}]
)
@pytest.mark.parametrize("name", ["Edit", "Read", "Write", "Bash", "MultiEdit", "Grep", "NoSuchTool"])
def test_calls_of_no_known_shape_do_no_harm(
    reader: Reader, session: MadeUpSession, name: str, given: dict[str, Any]
) -> None:
    session.call(name, given, "ok")
    session.run("make")
    assert reader.log(session).call_count == 2


def test_relative_paths_belong_to_the_sessions_directory(reader: Reader, session: MadeUpSession) -> None:
    session.call("Read", {"file_path": "src/../app.py"}, "ok")
    assert reader.log(session).calls[0].path == os.path.join(DIRECTORY, "app.py")


def test_a_search_is_in_the_directory_that_it_looks_through(reader: Reader, session: MadeUpSession) -> None:
    session.call("Grep", {"pattern": "x", "path": "web"}, "ok")
    session.call("Grep", {"pattern": "x", "path": "web/app.ts"}, "ok")
    session.call("Grep", {"pattern": "x"}, "ok")
    found = [call.path for call in reader.log(session).calls]
    assert found == [f"{DIRECTORY}/web/*", f"{DIRECTORY}/web/app.ts", ""]


def test_a_command_that_only_looks_is_a_look_and_one_that_shows_a_file_a_read(
    reader: Reader, session: MadeUpSession
) -> None:
    for command in ("grep -rn 'a|b' src | head", "cat src/app.py", "sed -n '1,9p' src/app.py", "make"):
        session.run(command, "found")
    found = reader.log(session).calls
    assert [(call.kind, call.path) for call in found] == [
        ("search", ""),
        ("part", f"{DIRECTORY}/src/app.py"),
        ("part", f"{DIRECTORY}/src/app.py"),
        ("command", ""),
    ]
    assert found[0].outcome == found[1].outcome != 0
    assert (found[1].first, found[1].last, found[2].first) == (1, 2000, 0)
    assert [bool(call.program) for call in found] == [False, False, False, True]


def test_the_filter_of_a_command_does_not_change_what_it_runs(reader: Reader, session: MadeUpSession) -> None:
    for command in ("npm test 2>&1 | tail -5", "npm test | grep -c 'a|b'", "npm test -- cart | tail -5"):
        session.run(command)
    one, other, third = (call.program for call in reader.log(session).calls)
    assert one == other != third


def test_the_lines_of_a_read_are_kept(reader: Reader, session: MadeUpSession) -> None:
    path = session.make("src/app.py", 300)
    session.read(path)
    session.read(path, 101, 50)
    session.call("Read", {"file_path": path, "pages": "1-3"}, "text")
    assert [(call.first, call.last) for call in reader.log(session).calls] == [(1, 2000), (101, 150), (0, 0)]


def test_git_that_records_or_replaces_the_work_is_counted(reader: Reader, session: MadeUpSession) -> None:
    for command in ("git status", "git add . && git commit -m x", "git -C /x stash", "git checkout app.py", "git log"):
        session.run(command)
    found = reader.log(session)
    assert ([call.revisions for call in found.calls], found.revisions) == ([0, 0, 1, 2, 3], 3)


def test_a_call_that_is_written_twice_counts_once(reader: Reader, session: MadeUpSession) -> None:
    session.run("git commit -m x")
    session.lines.insert(0, session.lines[0])
    found = reader.log(session)
    assert (found.call_count, found.revisions) == (1, 1)


def test_a_command_that_takes_away_an_edit_says_which(reader: Reader, session: MadeUpSession) -> None:
    path = session.make("src/app.py", 50)
    session.improve(path)
    for command in (
        "git checkout -- src/app.py",
        "rm src/app.py",
        "rm src/other.py",
        "git commit -m x",
        "git restore .",
    ):
        session.run(command)
    found = [(call.discards, call.by_git) for call in reader.log(session).calls]
    assert found == [
        (0, False),
        (1, True),
        (1, False),
        (0, False),
        (0, False),
        (0, False),
    ]  # committed: nothing is lost


@pytest.mark.parametrize(("left", "is_emptied"), [(0.95, False), (0.6, True)])
def test_a_window_that_shrinks_without_a_word_starts_the_history_over(
    reader: Reader, session: MadeUpSession, left: float, *, is_emptied: bool
) -> None:
    session.tokens = 100_000
    session.run("make")
    session.tokens = round(100_000 * left)
    session.run("make again")
    found = reader.log(session)
    assert (len(found.calls), found.since) == ((1, 1) if is_emptied else (2, 0))
    assert found.window_tokens == round(100_000 * left) + 3  # what came uncached


def test_a_plan_that_is_handed_over_starts_the_history_over(reader: Reader, session: MadeUpSession) -> None:
    session.run("make")
    session.prompt("Implement the following plan:\n\n# A plan")
    session.run("make again")
    found = reader.log(session)
    assert (len(found.calls), found.prompts) == (1, 1)


def test_what_a_person_writes_while_the_agent_works_is_a_prompt_too(reader: Reader, session: MadeUpSession) -> None:
    session.prompt("Begin.")
    for said in ("no, take that back", "<task-notification>done</task-notification>", '{"task_id":"1"}', None):
        line = {"type": "queue-operation", "operation": "enqueue", "content": said}
        session.lines.append(json.dumps(line).encode() + b"\n")
    session.run("make")
    assert [call.prompt for call in reader.log(session).calls] == [2]


def test_a_call_that_was_called_off_with_another_has_not_failed(reader: Reader, session: MadeUpSession) -> None:
    session.call("Bash", {"command": "make"}, "<tool_use_error>Sibling tool call errored</tool_use_error>", failed=True)
    assert states(reader.log(session)) == [("command", REFUSED)]


def test_paths_of_windows_are_kept_as_windows_has_them(reader: Reader, session: MadeUpSession) -> None:
    for path in ("c:/code/shop/src/app.py", r"C:\code\shop\src\app.py", "src/app.py"):
        session.call("Read", {"file_path": path}, "text")
    session.lines = [line.replace(DIRECTORY.encode(), b"C:\\\\code\\\\shop") for line in session.lines]
    found = {call.path for call in reader.log(session).calls}
    assert found == {r"C:\code\shop\src\app.py"}


def test_lines_of_subagents_do_not_count(reader: Reader, session: MadeUpSession) -> None:
    session.run("make")
    line = json.loads(session.lines[0]) | {"isSidechain": True}
    session.lines.append(json.dumps(line).encode() + b"\n")
    assert reader.log(session).call_count == 1


@pytest.mark.parametrize(("since", "turns", "early"), [(0, 0, 0), (0, 2, 0), (0, 3, 1), (0, 30, 10), (10, 40, 20)])
def test_the_early_turns_are_the_first_third_of_those_remembered(since: int, turns: int, early: int) -> None:
    assert ToolCallLog(since=since, turns=turns).early_until == early


def test_what_is_kept_is_bounded(monkeypatch: pytest.MonkeyPatch, reader: Reader, session: MadeUpSession) -> None:
    monkeypatch.setattr(tool_calls, "MOST_CALLS", 40)
    monkeypatch.setattr(tool_calls, "FEWEST_CALLS", 30)
    path = session.make("src/app.py", 50)
    for _ in range(100):
        session.read(path)
    found = reader.log(session)
    assert 30 <= len(found.calls) <= 40
    assert (found.call_count, found.forgotten + len(found.calls)) == (100, 100)
    assert found.first_turn == found.calls[0].turn > 60
    assert all(call.state == DONE for call in found.calls)
