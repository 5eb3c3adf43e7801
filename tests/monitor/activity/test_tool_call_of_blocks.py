"""A tool call in the log, and what its result says about it."""

import json
from typing import Any

import msgspec
import pytest

from monitor.activity.tool_call_of import RESULT_HEAD, add_result, state_of, tool_call_of
from monitor.activity.tool_calls import DONE, FAILED, REFUSED, ToolCall, ToolCallLog
from shared.client.tools import TOOLS
from shared.transcript.line import ContentBlock


def log() -> ToolCallLog:
    return ToolCallLog(directory="/shop", turns=3)


def called(name: str, result: ToolCallLog | None = None, **arguments: Any) -> ToolCall:
    block = ContentBlock(type="tool_use", name=name, input=msgspec.Raw(json.dumps(arguments).encode()))
    return tool_call_of(TOOLS[name], block, arguments, result or log())


@pytest.mark.parametrize(
    ("arguments", "kind", "lines"),
    [
        ({}, "read", (1, 2_000)),
        ({"offset": 11, "limit": 5}, "part", (11, 15)),
        ({"offset": 0, "limit": 5}, "part", (1, 5)),
        ({"limit": 1}, "part", (1, 1)),
        ({"offset": "far"}, "part", (0, 0)),
        ({"limit": "all"}, "part", (0, 0)),
        ({"pages": "1-3"}, "part", (0, 0)),
    ],
)
def test_a_read_knows_which_lines_it_shows(arguments: dict[str, Any], kind: str, lines: tuple[int, int]) -> None:
    call = called("Read", file_path="/shop/a.py", **arguments)
    assert (call.kind, call.first, call.last) == (kind, *lines)


def test_a_command_is_identified_by_its_words() -> None:
    one, same = (called("Bash", command="make", description=words) for words in ("build", "build again"))
    assert one.fingerprint == same.fingerprint


@pytest.mark.parametrize(
    ("command", "revisions"),
    [("git commit -m x", 1), ("git -C sub checkout main", 1), ("git status", 0), ("echo commit", 0)],
)
def test_git_operations_on_the_work_are_counted(command: str, revisions: int) -> None:
    result = log()
    called("Bash", result, command=command)
    assert result.revisions == revisions


@pytest.mark.parametrize(
    ("content", "is_error", "state"),
    [
        (b'"fine"', False, DONE),
        (b'"Exit code 1"', False, FAILED),
        (b'"Exit code 0"', False, DONE),
        (b'"no"', True, FAILED),
        (b'"The user doesn\'t want to proceed"', True, REFUSED),
        (b'"Exit code 1\\nThe user doesn\'t want to proceed"', True, FAILED),
        (b'"Exit code 1\\nThis command requires approval"', True, FAILED),
        (b'"The user doesn\'t want to proceed"', False, DONE),
        (b" " * RESULT_HEAD + b"was rejected", True, FAILED),
    ],
)
def test_a_calls_outcome_is_at_the_beginning_of_its_result(content: bytes, state: int, *, is_error: bool) -> None:
    assert state_of("command", content, is_error=is_error) == state


def test_only_commands_have_exit_codes() -> None:
    assert state_of("read", b'"Exit code 1"', is_error=False) == DONE


def test_an_image_takes_a_fixed_size_and_text_a_quarter_of_its_bytes() -> None:
    text, image = called("Read", file_path="/shop/a.py"), called("Read", file_path="/shop/a.png")
    add_result(text, b"x" * 4_003, DONE, log())
    add_result(image, b'[{"type":"image","data":"%s"}]' % (b"x" * 90_000), DONE, log())
    assert (text.tokens, image.tokens) == (1_000, 1_600 + 6)


def test_a_read_that_refers_to_an_earlier_one_returned_the_same() -> None:
    result = log()
    first, again, other = (called("Read", result, file_path=f"/shop/{name}.py") for name in ("a", "a", "b"))
    for call in (first, again, other):
        result.add(call)
    add_result(first, b"text", DONE, result)
    add_result(again, b"File unchanged since last read", DONE, result)
    add_result(other, b"File unchanged since last read", DONE, result)
    assert first.outcome == again.outcome != 0
    assert other.outcome == 0


def test_the_outcome_of_lookups_and_failures_is_kept() -> None:
    search, call, failed = called("Grep", pattern="x"), called("Bash", command="make"), called("Bash", command="make")
    add_result(search, b"a.py:1", DONE, log())
    add_result(call, b"built", DONE, log())
    add_result(failed, b"error in line 4", FAILED, log())
    same = called("Bash", command="make")
    add_result(same, b"error in line 5", FAILED, log())
    assert search.outcome != 0
    assert call.outcome == 0
    assert failed.outcome == same.outcome != 0
