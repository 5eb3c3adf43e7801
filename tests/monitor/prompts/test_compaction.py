"""The signs of a session's compaction, and what the transcript holds of it."""

import json
import time
from pathlib import Path

import pytest

from monitor.checkpoints.compaction import CarriedOver, carried_over
from tests import scratch
from tests.monitor.workshop import Workshop
from tests.transcripts import Transcript

ALERT = "<compaction-alert>"


def test_a_rewritten_transcript_is_searched_from_its_first_line(tmp_path: Path) -> None:
    transcript = Transcript(tmp_path / "session.jsonl")
    transcript.summary("Add vouchers.")
    result = carried_over(str(transcript.path), transcript.size + 1)
    assert result.summary.endswith("Add vouchers.")
    assert carried_over(str(transcript.path), transcript.size) == CarriedOver()


def test_a_summary_at_the_very_end_of_the_time_before_is_read(tmp_path: Path) -> None:
    transcript = Transcript(tmp_path / "session.jsonl")
    transcript.answer(50_000)
    before = transcript.size
    transcript.summary("Add vouchers.")
    assert carried_over(str(transcript.path), before).summary.endswith("Add vouchers.")


def test_a_compaction_before_an_interrupted_one_is_not_reported(workshop: Workshop) -> None:
    """The session was compacted before we were installed."""
    workshop.transcript.boundary(168_000, 4_000)
    workshop.transcript.answer(20_000)
    workshop.compact("manual")
    workshop.transcript.prompt("[Request interrupted by user]")
    workshop.transcript.answer(21_000)
    assert ALERT not in workshop.prompt()


def test_a_forks_parents_compactions_are_not_reported(workshop: Workshop) -> None:
    """The client writes a fork's transcript, with its parent's lines, after the first prompt."""
    workshop.transcript.path.unlink(missing_ok=True)
    workshop.prompt()
    workshop.transcript.boundary(168_000, 4_000, at=time.time() - 600)
    workshop.transcript.answer(24_000)
    assert ALERT not in workshop.prompt()
    workshop.transcript.boundary(24_000, 4_000, at=time.time() + 1)
    workshop.transcript.answer(9_000)
    assert ALERT in workshop.prompt()


def test_a_boundary_with_an_odd_time_is_reported(workshop: Workshop) -> None:
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
    workshop.transcript.answer(49_000)
    assert ALERT not in workshop.prompt()


def test_an_emptied_transcript_is_a_compaction(workshop: Workshop) -> None:
    workshop.transcript.answer(31_000)
    workshop.compact()
    workshop.transcript.path.write_bytes(b"")
    assert ALERT in workshop.prompt()


@pytest.mark.parametrize(("tokens", "is_told"), [(160_999, True), (161_000, False)])
def test_a_smaller_transcript_with_a_less_full_window_is_a_compaction(
    workshop: Workshop, tokens: int, *, is_told: bool
) -> None:
    for _ in range(5):
        workshop.transcript.answer(161_000)
    workshop.compact()
    workshop.transcript.path.write_bytes(b"")
    workshop.transcript.answer(tokens)
    assert (ALERT in workshop.prompt()) is is_told


def test_a_fall_in_a_client_that_writes_boundaries_is_no_compaction(workshop: Workshop) -> None:
    """Another model's tokenizer counts fewer tokens in the same conversation, and the client may drop old thinking."""
    workshop.transcript.answer(150_000, model="claude-opus-4-8")
    workshop.prompt()
    workshop.transcript.answer(112_000, model="claude-opus-4-6")
    assert ALERT not in workshop.prompt()


@pytest.mark.usefixtures("older_client")
def test_a_fall_reports_how_full_the_window_was(workshop: Workshop) -> None:
    workshop.transcript.answer(150_000)
    workshop.prompt()
    workshop.transcript.answer(40_000)
    assert "150,000 of an assumed 200,000 tokens (75%) were in use" in workshop.prompt()


def test_an_alert_counts_uncommitted_files_without_naming_them(workshop: Workshop) -> None:
    workshop.repository()
    (workshop.project / "voucher.py").write_text("")
    workshop.transcript.answer(167_000)
    workshop.compact()
    workshop.transcript.boundary()
    message = workshop.prompt()
    assert "1 file with uncommitted changes" in message
    assert "voucher.py" not in message


@pytest.mark.usefixtures("older_client")
@pytest.mark.parametrize(("tokens", "is_told"), [(79_999, True), (80_000, False)])
def test_only_a_fall_below_four_fifths_is_a_compaction(workshop: Workshop, tokens: int, *, is_told: bool) -> None:
    workshop.transcript.answer(100_000)
    workshop.prompt()
    workshop.transcript.answer(tokens)
    assert (ALERT in workshop.prompt()) is is_told


def test_a_boundary_is_reported_however_full_the_window_stays(workshop: Workshop) -> None:
    workshop.transcript.answer(50_000)
    workshop.prompt()
    workshop.transcript.boundary(50_000, 49_000)
    workshop.transcript.answer(49_000)
    assert ALERT in workshop.prompt()


def test_a_boundary_written_after_its_alert_is_not_reported_again(workshop: Workshop) -> None:
    workshop.transcript.answer(50_000)
    workshop.start("compact")
    assert ALERT in workshop.prompt()
    workshop.transcript.answer(49_000)
    assert ALERT not in workshop.prompt()
    workshop.transcript.boundary(50_000, 4_000)
    workshop.transcript.answer(49_000)
    assert ALERT not in workshop.prompt()


def test_a_rewind_to_the_very_beginning_is_no_compaction(workshop: Workshop) -> None:
    workshop.transcript.prompt()
    workshop.transcript.answer(150_000)
    workshop.prompt()
    workshop.transcript.rewind(None)
    workshop.transcript.prompt("Something else")
    workshop.transcript.answer(20_000)
    assert ALERT not in workshop.prompt()


@pytest.mark.usefixtures("older_client")
@pytest.mark.parametrize("is_before", [True, False])
def test_a_subagents_lines_in_the_sessions_file_hide_no_fall(workshop: Workshop, *, is_before: bool) -> None:
    """Old clients wrote them there."""
    workshop.transcript.answer(150_000)
    if is_before:
        write_subagent(workshop.transcript)
    workshop.prompt()
    workshop.transcript.answer(20_000)
    if not is_before:
        write_subagent(workshop.transcript)
    assert ALERT in workshop.prompt()


def write_subagent(transcript: Transcript) -> None:
    """Write a subagent's answer and prompt, each without a parent, into the session's file."""
    main = transcript.newest
    transcript.rewind(None)
    transcript.answer(21_000, sidechain=True)
    transcript.rewind(None)
    before = transcript.path.read_bytes()
    transcript.prompt("Look around")
    added = transcript.path.read_bytes().removeprefix(before)
    transcript.path.write_bytes(before + added.replace(b'"isSidechain":false', b'"isSidechain":true'))
    transcript.rewind(main)


def test_a_session_without_measurements_has_not_fallen(workshop: Workshop) -> None:
    workshop.prompt()
    workshop.transcript.answer(20_000)
    assert ALERT not in workshop.prompt()
    assert scratch.log(workshop.root) == []


@pytest.mark.usefixtures("older_client")
@pytest.mark.parametrize(("tokens", "is_told"), [(20_000, True), (20_001, False)])
def test_only_a_fall_by_more_than_ten_thousand_tokens_is_a_compaction(
    workshop: Workshop, tokens: int, *, is_told: bool
) -> None:
    workshop.transcript.answer(tokens + 10_000 + is_told)
    workshop.prompt()
    workshop.transcript.answer(tokens)
    assert (ALERT in workshop.prompt()) is is_told


def test_a_resumption_told_since_is_found(tmp_path: Path) -> None:
    transcript = Transcript(tmp_path / "session.jsonl")
    text = "<resumption-context>\nThe work goes on.\n</resumption-context>"
    transcript.attachment(type="hook_additional_context", content=["Something else", text])
    transcript.attachment(type="other", content=["<resumption-context>\nnot a hook's"])
    assert carried_over(str(transcript.path), 0) == CarriedOver(resumption=text)
    transcript.boundary()
    assert carried_over(str(transcript.path), 0) == CarriedOver()
    transcript.summary("Add vouchers.")
    transcript.attachment(type="hook_additional_context", content=[text])
    result = carried_over(str(transcript.path), 0)
    assert (result.summary.endswith("Add vouchers."), result.resumption) == (True, text)


def test_a_subagents_summary_is_not_the_sessions(tmp_path: Path) -> None:
    transcript = Transcript(tmp_path / "session.jsonl")
    transcript.summary("The session's.")
    line = json.loads(transcript.path.read_bytes()) | {"isSidechain": True}
    line["message"]["content"] = "A subagent's."
    transcript.append(line)
    assert carried_over(str(transcript.path), 0).summary.endswith("The session's.")


def test_a_missing_transcript_shows_nothing(tmp_path: Path) -> None:
    assert carried_over(str(tmp_path / "gone"), 0) == carried_over("", 0) == CarriedOver()


@pytest.mark.usefixtures("older_client")
def test_a_fall_since_the_announcement_is_a_compaction(workshop: Workshop) -> None:
    workshop.transcript.answer(167_000)
    workshop.compact()
    workshop.transcript.answer(30_000)
    assert "cx-001" in workshop.prompt().partition(ALERT)[2]
    workshop.transcript.answer(30_000)
    assert ALERT not in workshop.prompt()


@pytest.mark.usefixtures("older_client")
def test_a_fall_is_seen_after_a_prompt_from_before_the_rise(workshop: Workshop) -> None:
    workshop.transcript.answer(20_000)
    workshop.prompt()
    workshop.transcript.answer(167_000)
    workshop.compact()
    workshop.transcript.answer(30_000)
    assert ALERT in workshop.prompt()
