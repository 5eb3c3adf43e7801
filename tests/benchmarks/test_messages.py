"""`python -m benchmarks.messages`: the messages in whole sessions, and repetitions of requests already done."""

from pathlib import Path

import pytest

from benchmarks import messages
from tests.transcripts import Transcript

WINDOW = "[window]\nsize = 200000\n"


def session(folder: Path, *tokens: int) -> Path:
    """A session with a tool use at each of `tokens`."""
    transcript = Transcript(folder / "s.jsonl")
    for number, count in enumerate(tokens):
        transcript.answer(count, id=f"msg_{number}", tool_use_ids=[f"toolu_{number}"])
        transcript.result(f"toolu_{number}")
    return transcript.path


def test_done_requests_are_not_repeated_and_undone_ones_come_three_times(tmp_path: Path) -> None:
    path = session(tmp_path / "sessions", *(130_000 + 100 * number for number in range(30)))
    written, never = (messages.replay(path, WINDOW, is_written=is_written) for is_written in (True, False))
    assert (written.messages, written.repeats, written.most) == (1, 0, 1)
    assert (never.messages, never.most) == (3, 3)


def test_a_new_rise_is_no_repeat(tmp_path: Path) -> None:
    path = session(tmp_path / "sessions", 131_000, 90_000, 91_000, 131_500)
    assert messages.replay(path, WINDOW, is_written=True) == messages.SessionCount(2, 0, 2)


def test_a_window_size_leaves_out_larger_sessions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    session(tmp_path / "sessions" / "large", 130_000, 230_000)
    session(tmp_path / "sessions" / "small", 130_000, 131_000)
    assert messages.main(["--transcripts", str(tmp_path / "sessions"), "--window", "200000"]) == 0
    first, *rows = capsys.readouterr().out.splitlines()
    assert first == "1 session"
    assert [row.split(":")[0] for row in rows] == ["written after each message", "never written"]
    assert all("1 session at a level" in row for row in rows)
