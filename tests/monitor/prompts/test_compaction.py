"""What shows that a session was compacted, and what is found of it in the transcript."""

from pathlib import Path

import pytest

from monitor.prompts.compaction import SaidSince, said_since
from tests.monitor.workshop import Workshop
from tests.transcripts import Transcript

ALERT = "<compaction-alert>"


def test_a_rewritten_transcript_is_searched_from_its_first_line(tmp_path: Path) -> None:
    transcript = Transcript(tmp_path / "session.jsonl")
    transcript.summary("Add vouchers.")
    found = said_since(str(transcript.path), transcript.size + 1)
    assert found.summary.endswith("Add vouchers.")
    assert said_since(str(transcript.path), transcript.size) == SaidSince()


def test_a_compaction_from_before_a_broken_off_one_is_not_told(workshop: Workshop) -> None:
    """The session was compacted before we were installed."""
    workshop.transcript.boundary(168_000, 4_000)
    workshop.transcript.answer(20_000)
    workshop.compact("manual")
    workshop.transcript.prompt("[Request interrupted by user]")
    workshop.transcript.answer(21_000)
    assert ALERT not in workshop.prompt()


def test_a_boundary_with_an_odd_time_is_told(workshop: Workshop) -> None:
    workshop.transcript.answer(50_000)
    workshop.prompt()
    before = workshop.transcript.path.read_bytes()
    workshop.transcript.boundary(50_000, 4_000, at=1_767_225_600)
    added = workshop.transcript.path.read_bytes().removeprefix(before)
    odd = added.replace(b"2026-01-01T00:00:00", b"yesterday")
    assert odd != added
    workshop.transcript.path.write_bytes(before + odd)
    workshop.transcript.answer(49_000)
    assert ALERT in workshop.prompt()
    assert ALERT not in workshop.prompt()


def test_an_emptied_transcript_is_a_compaction(workshop: Workshop) -> None:
    workshop.transcript.answer(31_000)
    workshop.compact()
    workshop.transcript.path.write_bytes(b"")
    assert ALERT in workshop.prompt()


@pytest.mark.parametrize(("tokens", "is_told"), [(30_999, True), (31_000, False)])
def test_a_smaller_transcript_is_a_compaction_if_the_window_is_less_full(
    workshop: Workshop, tokens: int, *, is_told: bool
) -> None:
    for _ in range(5):
        workshop.transcript.answer(31_000)
    workshop.compact()
    workshop.transcript.path.write_bytes(b"")
    workshop.transcript.answer(tokens)
    assert (ALERT in workshop.prompt()) is is_told


def test_a_fall_tells_how_full_the_window_was(workshop: Workshop) -> None:
    workshop.transcript.answer(150_000)
    workshop.prompt()
    workshop.transcript.answer(40_000)
    assert "150,000 of 200,000 tokens (75%) were in use" in workshop.prompt()


def test_an_alert_counts_the_files_that_are_not_committed_and_does_not_name_them(workshop: Workshop) -> None:
    workshop.repository()
    (workshop.project / "voucher.py").write_text("")
    workshop.transcript.answer(167_000)
    workshop.compact()
    workshop.transcript.boundary()
    told = workshop.prompt()
    assert "1 file with uncommitted changes" in told
    assert "voucher.py" not in told


@pytest.mark.parametrize(("tokens", "is_told"), [(79_999, True), (80_000, False)])
def test_a_fall_to_four_fifths_is_none_and_below_them_is_one(workshop: Workshop, tokens: int, *, is_told: bool) -> None:
    workshop.transcript.answer(100_000)
    workshop.prompt()
    workshop.transcript.answer(tokens)
    assert (ALERT in workshop.prompt()) is is_told


def test_a_boundary_is_told_however_full_the_window_stays(workshop: Workshop) -> None:
    workshop.transcript.answer(50_000)
    workshop.prompt()
    workshop.transcript.boundary(50_000, 49_000)
    workshop.transcript.answer(49_000)
    assert ALERT in workshop.prompt()


def test_a_boundary_that_is_written_after_its_alert_is_not_told_again(workshop: Workshop) -> None:
    workshop.transcript.answer(50_000)
    workshop.start("compact")
    assert ALERT in workshop.prompt()
    workshop.transcript.answer(49_000)
    assert ALERT not in workshop.prompt()
    workshop.transcript.boundary(50_000, 4_000)
    workshop.transcript.answer(49_000)
    assert ALERT not in workshop.prompt()
