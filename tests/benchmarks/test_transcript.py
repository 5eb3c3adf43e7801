"""The synthetic transcripts look to our reader like the client's own."""

from pathlib import Path

import pytest

from benchmarks import transcript
from shared.gauge.verdict import growth_per_tool_use
from shared.transcript.tail import read_tail


@pytest.mark.parametrize("size", [0, 50_000_000])
def test_the_newest_answer_holds_the_tokens_asked_for(tmp_path: Path, size: int) -> None:
    path = tmp_path / "session.jsonl"
    transcript.write(str(path), size, 142_000)

    tail = read_tail(str(path), transcript.tool_use_id(transcript.TURNS))
    assert tail is not None
    assert tail.tokens == 142_000
    assert tail.holds_tool_use
    assert tail.is_long is False
    assert growth_per_tool_use(tail.answers) == transcript.GROWTH
    assert path.stat().st_size >= size


def test_a_long_line_hides_nothing(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    transcript.write(str(path), 0, 142_000)
    transcript.append_long_line(str(path), 3 << 20)

    tail = read_tail(str(path))
    assert tail is not None
    assert tail.tokens == 142_000
