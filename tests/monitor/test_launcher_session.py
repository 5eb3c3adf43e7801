"""Whole sessions through the real launcher and the real monitor: what is said, and which of them stays silent."""

import os
from pathlib import Path
from typing import Any

import pytest

from shared.gauge.wording import RETRACTION
from tests import scratch
from tests.monitor.launched import LaunchedSession
from tests.monitor.scene import CRITICAL, EXHAUSTED, NORMAL, WARNING

pytestmark = [
    pytest.mark.any_python,  # a shell script
    pytest.mark.skipif(os.name == "nt", reason="on Windows the interpreter is named directly"),
]
LAST = 172_000
"""Tokens at EXHAUSTED where automatic compaction is off."""


@pytest.fixture
def launched(tmp_path: Path) -> LaunchedSession:
    """A session of some turns far below every level."""
    session = LaunchedSession(tmp_path)
    session.transcript.prompt()
    for tokens in (NORMAL - 300, NORMAL - 200, NORMAL - 100, NORMAL):
        turn(session, tokens)
    return session


def turn(session: LaunchedSession, tokens: int, text: str = "ok", **fields: Any) -> str:
    """The level reported in a turn of one tool at `tokens` tokens."""
    name = f"toolu_{session.transcript.size}"
    session.transcript.answer(tokens, id=f"msg_{name}", tool_use_ids=[name])
    message = session.use(name, text, **fields)
    session.transcript.result(name, text)
    return message


def approach(session: LaunchedSession, tokens: int) -> None:
    """Fill the window in small steps up to just below `tokens`, without running hooks."""
    for number in range(20, 0, -1):
        session.transcript.answer(tokens - 100 * number, tool_use_ids=[])


def turns(session: LaunchedSession, tokens: int, count: int, **fields: Any) -> list[int]:
    """Which of `count` turns, from 1, bring a message; the window fills a little with each."""
    return [number for number in range(1, count + 1) if turn(session, tokens + number, **fields)]


def test_below_the_levels_the_shell_alone_stays_silent(launched: LaunchedSession) -> None:
    before = launched.starts
    assert turns(launched, NORMAL, 10) == []
    assert launched.starts == before


def test_at_warning_the_shell_keeps_the_silence_between_the_messages(launched: LaunchedSession) -> None:
    approach(launched, WARNING)
    before = launched.starts
    assert turns(launched, WARNING, 16) == [1, 6, 11]
    assert launched.starts - before == 3  # one for each message
    assert scratch.log(launched.root) == []


def test_at_critical_every_second_tool_use_brings_a_message_three_times(launched: LaunchedSession) -> None:
    assert turns(launched, CRITICAL, 12) == [1, 3, 5]


def test_a_level_reached_in_plan_mode_is_reported_again_after_the_plan(launched: LaunchedSession) -> None:
    """While planning it may not write the file; nothing tells the launcher that the plan is approved."""
    assert turns(launched, WARNING, 7, permission_mode="plan") == [1]
    assert turns(launched, WARNING, 8) == [1, 6]


def test_once_the_file_is_written_it_is_silent_until_the_level_rises(launched: LaunchedSession) -> None:
    assert turn(launched, WARNING) == "WARNING"
    launched.write_summary("what is done, and what is left")
    assert turns(launched, WARNING, 15) == []
    assert turn(launched, CRITICAL) == "CRITICAL"
    launched.write_summary("what is done, what is left, and what was decided")
    assert turns(launched, CRITICAL, 8) == []
    assert turn(launched, EXHAUSTED) == "EXHAUSTED"
    launched.write_summary("all of it")
    assert turns(launched, EXHAUSTED, 8) == []


def test_at_a_hard_limit_the_last_level_is_repeated_until_its_own_write(tmp_path: Path) -> None:
    session = LaunchedSession(tmp_path, DISABLE_AUTO_COMPACT="1")
    session.transcript.prompt()
    assert turns(session, LAST, 6) == [1, 2, 3, 4, 5, 6]
    session.write_summary("another session wrote this")
    assert turns(session, LAST, 2) == [1, 2]
    file = session.project / "PROJECT-SUMMARY.md"
    session.transcript.answer(LAST, tool_use_ids=["toolu_write"], tool="Bash", text=f"cat > {file} <<'END'")
    session.write_summary("its own")
    session.use("toolu_write")
    session.transcript.result("toolu_write")
    assert turns(session, LAST, 6) == []


@pytest.mark.parametrize("attempt", range(3))  # a call that wasn't counted was so in one of fifteen
def test_parallel_calls_bring_one_message_and_each_counts(launched: LaunchedSession, attempt: int) -> None:
    """The first, sixth and eleventh of twelve tool uses, although three always run at once."""
    approach(launched, WARNING)
    messages = []
    for batch in range(4):
        names = [f"toolu_{batch}_{number}" for number in range(3)]
        launched.transcript.answer(WARNING + batch, id=f"msg_{batch}", tool_use_ids=names)
        messages.append(sorted(launched.together(names)))
        for name in names:
            launched.transcript.result(name)
    assert [len([level for level in batch if level]) for batch in messages] == [1, 1, 0, 1]
    assert messages[0] == ["", "", "WARNING"]
    assert scratch.log(launched.root) == []


def test_parallel_calls_that_all_start_the_monitor_each_count_once(launched: LaunchedSession) -> None:
    names = [f"toolu_leap_{number}" for number in range(8)]
    launched.transcript.answer(WARNING + 1_000, id="msg_leap", tool_use_ids=names)
    before = launched.starts
    assert sorted(launched.together(names)) == [*[""] * 7, "WARNING"]
    assert launched.starts - before == 8
    assert launched.scene.memory.level.uses == 7


def test_the_end_of_a_turn_does_not_bring_the_message_forward(launched: LaunchedSession) -> None:
    levels = []
    for number in range(1, 8):
        levels.append(turn(launched, WARNING + number))
        launched.end_turn()
    assert [number for number, level in enumerate(levels, 1) if level] == [1, 6]


def test_a_fall_is_seen_and_the_next_rise_is_reported(launched: LaunchedSession) -> None:
    assert turns(launched, WARNING, 3) == [1]
    assert turn(launched, NORMAL) == RETRACTION
    assert turn(launched, NORMAL + 100) == ""
    assert turn(launched, WARNING + 50) == "WARNING"


def test_a_compaction_starts_the_levels_over(launched: LaunchedSession) -> None:
    assert turns(launched, CRITICAL, 8) == [1, 3, 5]
    launched.transcript.boundary(160_000, 9_000)
    assert turn(launched, 20_000) == RETRACTION
    assert turns(launched, WARNING, 12) == [1, 6, 11]


def test_a_large_result_brings_its_message_at_the_next_tool_use(launched: LaunchedSession) -> None:
    """Its bytes aren't in the transcript yet when the next answer's hook looks."""
    name = "toolu_large"
    launched.transcript.answer(NORMAL + 1_000, tool_use_ids=[name])
    text = "x" * 60_000
    assert launched.use(name, text) == ""
    launched.transcript.answer(WARNING + 1_000, tool_use_ids=["toolu_next"])
    assert launched.use("toolu_next") == "WARNING"


def test_a_subagent_gets_its_message_once_and_takes_none_of_the_sessions(launched: LaunchedSession) -> None:
    own = launched.transcript.subagent("a1")
    levels = []
    for number in range(8):
        name = f"toolu_a{number}"
        own.answer(WARNING + number, id=f"msg_a{number}", tool_use_ids=[name])
        levels.append(launched.use(name, agent_id="a1"))
        own.result(name)
    assert levels == ["WARNING", *[""] * 7]
    assert turns(launched, WARNING, 6) == [1, 6]
