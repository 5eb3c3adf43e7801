import os
from pathlib import Path

import pytest

from tests.monitor.workshop import FOLDER, Workshop
from tests.transcripts import Transcript

ALERT = "<compaction-alert>"


def test_the_first_prompt_after_a_compaction_is_alerted_once(workshop: Workshop) -> None:
    workshop.transcript.answer(167_000)
    workshop.edit("src/app.py", 3)
    workshop.compact("auto")
    workshop.transcript.boundary()
    workshop.start("compact")
    assert workshop.marks() == []

    first = workshop.prompt()
    workshop.transcript.answer(20_000)
    second = workshop.prompt()

    assert first.count(ALERT) == 1
    assert "cx-001" in first
    assert "src/app.py (3x)" in first  # nothing shows that the resumption has reached the session
    assert str(FOLDER / "cx-001-checkpoint.json") in first
    assert ALERT not in second
    assert workshop.marks() == ["cx-001"]


def test_the_alert_waits_for_a_person(workshop: Workshop) -> None:
    workshop.compact()
    workshop.transcript.boundary()
    assert workshop.prompt("<task-notification>done") == ""
    assert ALERT in workshop.prompt()


def test_an_alert_needs_no_line_in_the_transcript(workshop: Workshop) -> None:
    workshop.transcript.answer(167_000)
    workshop.compact()
    workshop.start("compact")
    assert ALERT in workshop.prompt()
    workshop.transcript.answer(20_000)
    assert ALERT not in workshop.prompt()


def test_a_summary_prepared_in_the_background_is_no_compaction(workshop: Workshop) -> None:
    """With `precomputeCompactionEnabled` PreCompact comes long before the compaction, or without one."""
    workshop.transcript.answer(150_000)
    workshop.compact("auto")
    assert ALERT not in workshop.prompt()
    workshop.transcript.prompt()
    workshop.transcript.answer(151_000)
    workshop.compact("auto")
    assert ALERT not in workshop.prompt()
    assert workshop.marks() == []
    workshop.transcript.boundary()
    workshop.start("compact")
    assert ALERT in workshop.prompt()


@pytest.mark.parametrize("answers", [1, 30])
def test_a_fall_after_a_rewind_is_no_compaction(workshop: Workshop, answers: int) -> None:
    workshop.transcript.prompt()
    workshop.transcript.answer(21_000)
    lived = workshop.transcript.newest
    workshop.prompt()
    workshop.transcript.prompt()
    workshop.transcript.answer(150_000)
    workshop.prompt()
    workshop.transcript.rewind(lived)
    workshop.transcript.prompt("Something else")
    for turn in range(answers):
        workshop.transcript.answer(22_000 + turn)
    assert ALERT not in workshop.prompt()
    assert workshop.marks() == []


def test_an_interrupted_compaction_is_no_compaction(workshop: Workshop) -> None:
    workshop.transcript.answer(150_000)
    workshop.compact("manual")
    workshop.transcript.prompt("[Request interrupted by user]")
    workshop.transcript.answer(151_000)
    assert ALERT not in workshop.prompt()
    assert workshop.marks() == []


def test_a_checkpoint_of_a_tier_is_no_compaction(workshop: Workshop) -> None:
    workshop.transcript.answer(165_000)
    workshop.prompt()
    assert ALERT not in workshop.prompt()
    assert workshop.marks() == []


def test_a_boundary_is_enough_without_an_event(workshop: Workshop) -> None:
    workshop.edit("src/app.py", 2)
    workshop.transcript.answer(150_000)
    workshop.prompt()
    workshop.transcript.boundary(168_000, 4_000)
    for _ in range(30):
        workshop.transcript.answer(60_000)

    message = workshop.prompt()

    assert ALERT in message
    assert "168,000 of 200,000 tokens" in message
    assert "src/app.py (2x)" in message
    assert [checkpoint["session_info"]["trigger"] for checkpoint in workshop.checkpoints()] == [
        "critical",
        "compaction",
    ]
    assert workshop.marks() == ["cx-001", "cx-002"]
    workshop.transcript.answer(60_000)
    assert ALERT not in workshop.prompt()


def test_a_recent_boundary_is_seen_in_a_session_new_to_us(workshop: Workshop) -> None:
    workshop.transcript.answer(168_000)
    workshop.transcript.boundary(168_000, 4_000)
    workshop.transcript.answer(20_000)
    assert ALERT in workshop.prompt()
    workshop.transcript.answer(20_100)
    assert ALERT not in workshop.prompt()


@pytest.mark.usefixtures("older_client")
@pytest.mark.parametrize(
    ("before", "after", "is_told"),
    [
        (150_000, 40_000, True),
        (60_000, 47_999, True),
        (60_000, 50_001, False),
        (12_000, 3_000, False),
        (50_000, 40_000, False),
    ],
)
def test_a_fall_is_a_compaction_too(workshop: Workshop, before: int, after: int, is_told: bool) -> None:
    workshop.transcript.answer(before)
    workshop.prompt()
    workshop.transcript.answer(after)
    assert (ALERT in workshop.prompt()) is is_told
    workshop.transcript.answer(after)
    assert ALERT not in workshop.prompt()


@pytest.mark.usefixtures("older_client")
def test_a_fall_after_a_missing_parent_is_a_compaction(workshop: Workshop) -> None:
    workshop.transcript.prompt()
    workshop.transcript.answer(150_000)
    workshop.prompt()
    workshop.transcript.rewind("11111111-2222-4333-8444-555555555555")
    workshop.transcript.prompt("Go on")
    workshop.transcript.answer(20_000)
    assert ALERT in workshop.prompt()


def test_fewer_tokens_in_another_session_are_no_fall(workshop: Workshop) -> None:
    workshop.transcript.answer(150_000)
    workshop.prompt()
    other = workshop.session("session-2")
    other.transcript.answer(20_000)
    assert ALERT not in other.prompt()


def test_a_resumed_session_is_not_told_of_an_old_boundary(workshop: Workshop) -> None:
    workshop.transcript.answer(168_000)
    workshop.transcript.boundary(168_000, 4_000)
    workshop.transcript.answer(20_000)
    workshop.start("resume")
    assert ALERT not in workshop.prompt()


def test_a_session_left_after_a_compaction_is_alerted_when_resumed(workshop: Workshop) -> None:
    workshop.transcript.answer(168_000)
    workshop.compact("manual")
    workshop.transcript.boundary(168_000, 4_000)
    workshop.start("resume")
    assert ALERT in workshop.prompt()


def test_only_its_own_checkpoints_alert_a_session(workshop: Workshop) -> None:
    workshop.transcript.answer(168_000)
    workshop.compact()
    other = workshop.session("session-2")
    other.transcript.answer(20_000)
    assert ALERT not in other.prompt()
    assert workshop.marks() == []


def test_another_projects_checkpoints_alert_nobody(workshop: Workshop, tmp_path: Path) -> None:
    workshop.configure(f'checkpoint.directory = "{tmp_path}/all"')
    workshop.compact()
    assert ALERT not in workshop.elsewhere(tmp_path / "market").prompt()


def test_the_newest_checkpoint_is_told_and_older_ones_are_acknowledged(workshop: Workshop) -> None:
    workshop.transcript.answer(165_000)
    workshop.prompt()
    workshop.compact()
    workshop.transcript.boundary()
    message = workshop.prompt()
    assert "cx-002" in message
    assert workshop.marks() == ["cx-001", "cx-002"]


def test_a_damaged_checkpoint_is_skipped(workshop: Workshop) -> None:
    workshop.compact()
    for name, content in {"002": b"{", "003": b"[]", "004": b'{"checkpoint_id": 5}', "005": b"\xff\x00"}.items():
        (workshop.folder / f"cx-{name}-checkpoint.json").write_bytes(content)
    (workshop.folder / "cx-006-checkpoint.json").mkdir()
    os.mkfifo(workshop.folder / "cx-007-checkpoint.json")
    (workshop.folder / "cx-008-checkpoint.json").symlink_to("/etc/passwd")
    workshop.transcript.boundary()
    assert "cx-001" in workshop.prompt()
    assert workshop.marks() == ["cx-001"]


def test_the_alert_can_be_switched_off(workshop: Workshop) -> None:
    workshop.configure("hooks.compaction_alert = false")
    workshop.compact()
    workshop.transcript.boundary()
    assert ALERT not in workshop.prompt()
    assert workshop.marks() == []


def test_the_alert_comes_alone_if_the_tag_is_switched_off(workshop: Workshop) -> None:
    workshop.configure("hooks.prompt_tag = false")
    workshop.compact()
    workshop.transcript.boundary()
    assert workshop.prompt().startswith(ALERT)


def test_without_checkpoints_the_alert_is_based_on_the_transcript(workshop: Workshop) -> None:
    workshop.configure("hooks.checkpoint = false")
    workshop.edit("src/app.py")
    workshop.prompt()
    workshop.transcript.boundary()
    message = workshop.prompt()
    assert "src/app.py (1x)" in message
    assert not workshop.folder.exists()


def test_a_transcript_of_another_conversation_is_not_searched_forever(workshop: Workshop, tmp_path: Path) -> None:
    """A client that starts a new file under the same id must not be judged by the old file's length."""
    workshop.transcript.grow(200_000)
    workshop.transcript.answer(50_000)
    workshop.prompt()
    shorter = Transcript(tmp_path / "shorter.jsonl")
    shorter.answer(45_000)
    shorter.boundary(60_000, 2_000)
    assert ALERT in workshop.prompt(transcript_path=str(shorter.path))


@pytest.mark.parametrize("kind", ["user", "system", "assistant"])
def test_a_line_that_may_report_an_end_is_no_compaction(workshop: Workshop, kind: str) -> None:
    workshop.transcript.answer(167_000)
    workshop.compact()
    workshop.transcript.append({"type": kind, "message": {"content": "Compaction canceled."}})
    assert ALERT not in workshop.prompt()
    assert workshop.marks() == []


def test_a_boundary_written_after_the_alert_brings_no_second_alert(workshop: Workshop) -> None:
    """The client may write the boundary only after the first prompt's hook has run."""
    workshop.transcript.answer(150_000)
    workshop.prompt()
    workshop.compact("manual")
    workshop.start("compact")
    assert ALERT in workshop.prompt()
    workshop.transcript.boundary(150_000)
    workshop.transcript.answer(20_000)

    assert ALERT not in workshop.prompt()
