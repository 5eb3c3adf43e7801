"""A session that waits for its person is told from one that works, by the end of its transcript."""

import json
from pathlib import Path

import pytest

from commands.watch.waiting import Waiting, waiting_of
from tests.transcripts import START, Transcript

NOW = START + 1_000


@pytest.fixture
def transcript(tmp_path: Path) -> Transcript:
    transcript = Transcript(tmp_path / "session.jsonl")
    transcript.prompt()
    return transcript


def call(transcript: Transcript, *names: str, at: float = START + 500) -> None:
    """One answer that calls these tools, `toolu_0` and so on."""
    before = transcript.size
    transcript.answer(10_000, tool_use_ids=[f"toolu_{number}" for number in range(len(names))], at=at)
    old, new = transcript.path.read_bytes()[:before], transcript.path.read_bytes()[before:]
    transcript.path.write_bytes(old)
    for name, text in zip(names, new.splitlines(), strict=True):
        line = json.loads(text)
        line["message"]["content"][0]["name"] = name
        transcript.append(line)


def waiting(transcript: Transcript, now: float = NOW, *, is_busy: bool = False) -> Waiting | None:
    return waiting_of(str(transcript.path), now, lambda _: is_busy)


def test_a_finished_turn_waits_for_the_next_prompt(transcript: Transcript) -> None:
    transcript.answer(10_000, tool_use_ids=(), at=START + 500)

    assert waiting(transcript) == Waiting("turn finished", START + 500)
    assert waiting(transcript, START + 501) is None  # its last line may not be written yet


def test_a_prompt_and_a_result_are_being_answered(transcript: Transcript) -> None:
    assert waiting(transcript) is None
    call(transcript, "Read")
    transcript.result("toolu_0")
    assert waiting(transcript) is None


@pytest.mark.parametrize("name", ["AskUserQuestion", "ExitPlanMode"])
def test_a_question_waits_for_its_answer(transcript: Transcript, name: str) -> None:
    call(transcript, name)

    assert waiting(transcript) == Waiting("question", START + 500)


def test_a_tool_that_is_done_at_once_waits_for_its_permission(transcript: Transcript) -> None:
    call(transcript, "Read", "Edit")
    transcript.result("toolu_0")

    assert waiting(transcript) == Waiting("permission", START + 500)


def test_a_command_waits_for_its_permission_unless_it_runs(transcript: Transcript) -> None:
    call(transcript, "Bash")

    assert waiting(transcript, is_busy=True) is None
    assert waiting(transcript) == Waiting("permission", START + 500)


def test_an_agent_or_a_server_may_be_at_work(transcript: Transcript) -> None:
    call(transcript, "Task")
    assert waiting(transcript) is None


def test_an_interruption_waits_for_the_next_prompt(transcript: Transcript) -> None:
    call(transcript, "Bash")
    transcript.prompt("[Request interrupted by user]")

    result = waiting(transcript)

    assert result is not None
    assert result.reason == "turn interrupted"


def test_the_clients_own_commands_change_nothing(transcript: Transcript) -> None:
    transcript.answer(10_000, tool_use_ids=(), at=START + 500)
    transcript.prompt("<command-name>/cost</command-name>")
    transcript.prompt("<local-command-stdout>0.10 $</local-command-stdout>")

    assert waiting(transcript) == Waiting("turn finished", START + 500)


def test_a_subagents_lines_and_other_bytes_are_left_out(transcript: Transcript) -> None:
    transcript.answer(10_000, tool_use_ids=(), at=START + 500)
    transcript.answer(9_000, sidechain=True)
    transcript.write(b"\xff{}\n[]\n")

    assert waiting(transcript) == Waiting("turn finished", START + 500)
    assert waiting_of(str(transcript.path) + ".gone", NOW, lambda _: False) is None
