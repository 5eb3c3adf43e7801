"""What is found of a compaction in a transcript that is not the one that was seen before."""

from pathlib import Path

from monitor.prompts.compaction import SaidSince, said_since
from tests.transcripts import Transcript


def test_a_rewritten_transcript_is_searched_from_its_first_line(tmp_path: Path) -> None:
    transcript = Transcript(tmp_path / "session.jsonl")
    transcript.summary("Add vouchers.")
    found = said_since(str(transcript.path), transcript.size + 1)
    assert found.summary.endswith("Add vouchers.")
    assert said_since(str(transcript.path), transcript.size) == SaidSince()
