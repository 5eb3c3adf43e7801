"""A waiting session is known by its client's record; why it waits, by the end of its transcript too."""

import json
from pathlib import Path

import pytest

from commands.watch.waiting import Waiting, waiting_of
from monitor.checkpoints.client_process import ClientRecord
from tests.transcripts import START, Transcript

SINCE = START + 500


@pytest.fixture
def transcript(tmp_path: Path) -> Transcript:
    transcript = Transcript(tmp_path / "session.jsonl")
    transcript.prompt()
    return transcript


def call(transcript: Transcript, *names: str) -> None:
    """One answer that calls these tools, `toolu_0` and so on."""
    before = transcript.size
    transcript.answer(10_000, tool_use_ids=[f"toolu_{number}" for number in range(len(names))])
    old, new = transcript.path.read_bytes()[:before], transcript.path.read_bytes()[before:]
    transcript.path.write_bytes(old)
    for name, text in zip(names, new.splitlines(), strict=True):
        line = json.loads(text)
        line["message"]["content"][0]["name"] = name
        transcript.append(line)


def waiting(transcript: Transcript, status: str) -> Waiting | None:
    record = ClientRecord(sessionId="a", status=status, statusUpdatedAt=SINCE * 1000)
    return waiting_of(record, str(transcript.path))


def test_an_idle_client_waits_for_the_next_prompt(transcript: Transcript) -> None:
    transcript.answer(10_000, tool_use_ids=())
    assert waiting(transcript, "idle") == Waiting("turn finished", SINCE)


def test_an_idle_client_waits_after_its_prompt_was_taken_back(transcript: Transcript) -> None:
    assert waiting(transcript, "idle") == Waiting("turn finished", SINCE)


@pytest.mark.parametrize("status", ["busy", "", "of a later version"])
def test_a_busy_client_and_one_without_a_status_wait_for_nothing(transcript: Transcript, status: str) -> None:
    transcript.answer(10_000, tool_use_ids=())
    assert waiting(transcript, status) is None


@pytest.mark.parametrize("name", ["AskUserQuestion", "ExitPlanMode"])
def test_a_question_waits_for_its_answer(transcript: Transcript, name: str) -> None:
    call(transcript, "Read", name)
    transcript.result("toolu_0")

    assert waiting(transcript, "waiting") == Waiting("question", SINCE)


@pytest.mark.parametrize("name", ["Bash", "Task", "mcp__files__read"])
def test_any_other_tool_waits_for_its_permission(transcript: Transcript, name: str) -> None:
    call(transcript, "AskUserQuestion")
    transcript.result("toolu_0")
    call(transcript, name)

    assert waiting(transcript, "waiting") == Waiting("permission", SINCE)


def test_an_interrupted_turn_waits_for_the_next_prompt(transcript: Transcript) -> None:
    call(transcript, "Bash")
    transcript.prompt("[Request interrupted by user]")
    transcript.prompt("<local-command-stdout>0.10 $</local-command-stdout>")

    assert waiting(transcript, "idle") == Waiting("turn interrupted", SINCE)

    transcript.answer(10_000, tool_use_ids=())
    assert waiting(transcript, "idle") == Waiting("turn finished", SINCE)


def test_a_subagents_lines_and_other_bytes_are_left_out(transcript: Transcript) -> None:
    transcript.prompt("[Request interrupted by user]")
    transcript.answer(9_000, sidechain=True)
    transcript.write(b"\xff{}\n[]\n")

    assert waiting(transcript, "idle") == Waiting("turn interrupted", SINCE)
    transcript.path.unlink()
    assert waiting(transcript, "idle") == Waiting("turn finished", SINCE)
