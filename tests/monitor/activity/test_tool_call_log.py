"""The log of tool calls: what it counts, what it forgets, and what the window holds."""

import pytest

from monitor.activity.tool_calls import DONE, FAILED, REFUSED, WAITING, ToolCall, ToolCallLog


def filled(count: int) -> ToolCallLog:
    log = ToolCallLog()
    for turn in range(1, count + 1):
        log.add_answer(f"msg_{turn}", 0)
        log.add(ToolCall(turn, "read", turn))
    return log


@pytest.mark.parametrize(("tokens", "is_emptied"), [(91, False), (90, True), (1, True), (0, False)])
def test_a_window_that_shrinks_by_a_tenth_was_emptied(tokens: int, *, is_emptied: bool) -> None:
    log = ToolCallLog(tokens=100)
    log.add(ToolCall(1, "read", 1))
    log.add_answer("msg_2", tokens)
    assert (log.calls == []) is is_emptied
    assert log.tokens == (tokens or 100)
    assert (log.turns, log.answer) == (1, "msg_2")


def test_an_emptied_log_starts_over() -> None:
    log = filled(6)
    log.tokens, log.bytes_read = 50_000, 4_000
    log.reset()
    assert (log.calls, log.tokens, log.bytes_read) == ([], 0, 0)
    assert (log.turns, log.call_count) == (6, 6)


def test_beyond_2000_calls_only_the_newest_1500_are_kept() -> None:
    log = filled(2_000)
    assert (len(log.calls), log.calls[0].turn) == (2_000, 1)
    number = log.add(ToolCall(2_001, "read", 2_001))
    assert (number, len(log.calls), log.numbered(500)) == (2_000, 1_500, None)
    assert log.calls[0].turn == 502
    assert log.call_count == 2_001


def test_a_call_is_found_by_its_number_until_it_is_forgotten() -> None:
    log = filled(3)
    assert [call.turn if (call := log.numbered(number)) else None for number in (-1, 0, 2, 3)] == [None, 1, 3, None]
    log.reset()
    assert log.numbered(2) is None
    log.add(ToolCall(4, "read", 4))
    newest = log.numbered(3)
    assert newest is not None
    assert newest.turn == 4


def test_usage_comes_from_measurements_answers_or_reads() -> None:
    log = ToolCallLog(bytes_read=4_003)
    assert log.window_tokens == 1_000
    log.tokens = 20_000
    assert log.window_tokens == 20_000
    log.measured_tokens = 30_000
    assert log.window_tokens == 30_000


def test_lines_are_counted_and_the_first_has_the_time_and_place() -> None:
    log = ToolCallLog()
    for size, timestamp, directory in ((10, "", ""), (20, "09:00", "/shop"), (30, "10:00", "/other")):
        log.add_line(size, timestamp, directory)
    assert (log.bytes_read, log.started, log.directory) == (60, "09:00", "/shop")


@pytest.mark.parametrize(("state", "is_done"), [(WAITING, True), (DONE, True), (FAILED, False), (REFUSED, False)])
def test_a_failed_call_changed_no_file(state: int, *, is_done: bool) -> None:
    edit, read = (ToolCall(1, kind, 1, state=state) for kind in ("edit", "read"))
    assert (edit.is_done, edit.is_edit, read.is_edit, read.is_read) == (is_done, is_done, False, True)
