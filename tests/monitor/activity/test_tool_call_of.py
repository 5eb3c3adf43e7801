"""A tool call in the log: what it did, to what, and how it ended."""

import os
from typing import Any

import pytest

from benchmarks.sessions.writer import DIRECTORY, MadeUpSession
from monitor.activity.tool_calls import REFUSED
from tests.monitor.activity.log_reader import LogReader, states


def test_a_call_that_was_refused_has_not_failed(log_reader: LogReader, session: MadeUpSession) -> None:
    session.call("Bash", {"command": "git push"}, "The user doesn't want to proceed with this tool use.", failed=True)
    assert states(log_reader.log(session)) == [("command", REFUSED)]


def test_a_call_cancelled_along_with_another_has_not_failed(log_reader: LogReader, session: MadeUpSession) -> None:
    session.call("Bash", {"command": "make"}, "<tool_use_error>Sibling tool call errored</tool_use_error>", failed=True)
    assert states(log_reader.log(session)) == [("command", REFUSED)]


def test_a_read_answered_with_an_earlier_one_counts_as_the_same(log_reader: LogReader, session: MadeUpSession) -> None:
    path = session.make("src/app.py", 50)
    session.read(path)
    session.call("Read", {"file_path": path}, "Wasted call — file unchanged since your last Read.")
    first, second = log_reader.log(session).calls
    assert first.outcome == second.outcome != 0


@pytest.mark.parametrize(
    "arguments",
    [
        {"edits": [{"old_string": "one\nlimit = 30", "new_string": "one\nlimit = 60"}, "nonsense"]},
        {"old_string": "limit = 30", "new_string": "limit = 60"},
    ],
)
def test_an_edit_consists_of_its_changed_lines(
    log_reader: LogReader, session: MadeUpSession, arguments: dict[str, Any]
) -> None:
    session.call("MultiEdit", {"file_path": "/x", **arguments}, "ok")
    [call] = log_reader.log(session).calls
    assert (len(call.removed), len(call.added)) == (1, 1)


@pytest.mark.parametrize(
    "arguments", [{}, {"file_path": 5}, {"file_path": "/x", "old_string": None}, {"file_path": "/x", "edits": "no"}]
)
@pytest.mark.parametrize("name", ["Edit", "Read", "Write", "Bash", "MultiEdit", "Grep", "NoSuchTool"])
def test_calls_of_unknown_shape_are_harmless(
    log_reader: LogReader, session: MadeUpSession, name: str, arguments: dict[str, Any]
) -> None:
    session.call(name, arguments, "ok")
    session.run("make")
    assert log_reader.log(session).call_count == 2


def test_relative_paths_belong_to_the_sessions_directory(log_reader: LogReader, session: MadeUpSession) -> None:
    session.call("Read", {"file_path": "src/../app.py"}, "ok")
    assert log_reader.log(session).calls[0].path == os.path.join(DIRECTORY, "app.py")


def test_a_command_that_only_shows_something_is_a_search(log_reader: LogReader, session: MadeUpSession) -> None:
    for command in ("grep -rn 'a|b' src | head", "cat src/app.py", "cat  src/app.py 2>/dev/null", "make"):
        session.run(command, "found")
    calls = log_reader.log(session).calls
    assert [call.kind for call in calls] == ["search", "search", "search", "command"]
    assert calls[0].outcome == calls[1].outcome != 0
    assert calls[0].fingerprint != calls[1].fingerprint == calls[2].fingerprint


def test_the_lines_of_a_read_are_kept(log_reader: LogReader, session: MadeUpSession) -> None:
    path = session.make("src/app.py", 300)
    session.read(path)
    session.read(path, 101, 50)
    session.call("Read", {"file_path": path, "pages": "1-3"}, "text")
    assert [(call.first, call.last) for call in log_reader.log(session).calls] == [(1, 2000), (101, 150), (0, 0)]
