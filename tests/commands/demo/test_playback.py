from pathlib import Path

import pytest

from commands.demo import playback
from shared.transcript.tail import read_tail


@pytest.mark.parametrize("window", [200_000, 1_000_000])
@pytest.mark.parametrize("count", [1, 7, 40])
def test_the_last_tool_use_reaches_the_limit(count: int, window: int) -> None:
    played = list(playback.steps(count, window, window - 33_000))

    assert len(played) == count
    assert played[-1].tokens == window - 33_000
    assert [step.tokens for step in played] == sorted({step.tokens for step in played})


def test_a_line_reads_like_an_answer_of_the_client(tmp_path: Path) -> None:
    step = next(playback.steps(3, 200_000, 167_000))
    transcript = tmp_path / "demo.jsonl"
    transcript.write_bytes(playback.transcript_line(step))

    tail = read_tail(str(transcript), step.id)

    assert tail is not None
    assert (tail.tokens, tail.holds_tool_use) == (step.tokens, True)
