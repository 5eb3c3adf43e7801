import os
from pathlib import Path

import pytest

from statusline.measuring import session_samples
from statusline.measuring.session_samples import CompactionCount, count_compactions
from tests.transcripts import Transcript


@pytest.fixture
def transcript(tmp_path: Path) -> Transcript:
    return Transcript(tmp_path / "session.jsonl")


def counted(transcript: Transcript, before: CompactionCount = CompactionCount()) -> CompactionCount:  # noqa: B008  frozen
    return count_compactions(str(transcript.path), transcript.size, before)


def test_boundaries_are_counted_as_they_come(transcript: Transcript) -> None:
    transcript.answer(60_000)
    first = counted(transcript)
    transcript.boundary(167_000)
    transcript.answer(24_000)
    second = counted(transcript, first)
    transcript.boundary(160_000)

    assert (first.number, second.number, counted(transcript, second).number) == (0, 1, 2)
    assert counted(transcript) == CompactionCount(2, transcript.size, is_whole=True)


def test_the_marker_in_a_tools_result_is_no_compaction(transcript: Transcript) -> None:
    transcript.result("toolu_1", '{"type":"system","subtype":"compact_boundary"}')

    assert counted(transcript).number == 0


def test_a_line_being_written_counts_once_complete(transcript: Transcript) -> None:
    transcript.boundary(167_000)
    whole = transcript.path.read_bytes()
    transcript.path.write_bytes(whole[:-20])
    half = counted(transcript)
    transcript.path.write_bytes(whole)

    assert (half.number, counted(transcript, half).number) == (0, 1)


def test_a_shorter_transcript_is_counted_from_its_start(transcript: Transcript) -> None:
    transcript.boundary(167_000)

    assert counted(transcript, CompactionCount(7, transcript.size + 1)).number == 1


def test_a_large_transcript_is_counted_by_several_redraws(
    transcript: Transcript, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_samples, "CHUNK", 4096)
    monkeypatch.setattr(session_samples, "MOST_BYTES", 8192)
    for number in range(40):
        transcript.boundary(167_000)
        transcript.result(f"toolu_{number}", "x" * (9000 if number % 10 == 0 else 300))
    count, redraws = CompactionCount(), 0
    while not count.is_whole:
        count, redraws = counted(transcript, count), redraws + 1

    assert (count.number, redraws > 3) == (40, True)


def test_a_path_that_is_no_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=os.strerror(2)):
        count_compactions(str(tmp_path / "none"), 5, CompactionCount())
