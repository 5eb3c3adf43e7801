import json
import os
import threading
from pathlib import Path

import pytest

from monitor.measuring.subagent_compaction import WRITTEN_SECONDS
from shared.gauge.limit import IDLE_SECONDS
from tests.monitor.workshop import Workshop
from tests.transcripts import OLD_CLIENT, Transcript

ROOM, FULL = 50_000, 168_000
"""Tokens of a window of 200,000, which is compacted at 167,000."""


@pytest.fixture
def caller(workshop: Workshop) -> Workshop:
    """A session in the middle of its work, which has just called a subagent."""
    workshop.transcript.prompt("Change the greeting")
    workshop.edit("src/app.py")
    workshop.fire("SubagentStart", agent_id="a1", agent_type="Explore")
    workshop.transcript.answer(60_000, tool_use_ids=("toolu_agent",), tool="Agent")
    return workshop


def test_a_compaction_while_a_subagent_runs_is_not_its_callers(caller: Workshop) -> None:
    assert caller.compact() == ""
    assert not caller.folder.exists()
    assert caller.start("compact") == ""
    assert caller.memory.prompt is None


def test_what_a_subagents_summariser_wrote_is_not_its_callers(caller: Workshop) -> None:
    caller.transcript.result("toolu_agent")
    caller.compact()
    caller.transcript.answer(61_000, tool_use_ids=("toolu_other",), tool="Agent")
    caller.fire("SubagentStop", agent_type="", last_assistant_message="<summary>A subagent's own</summary>")
    words = Path(caller.checkpoints()[0]["words_path"])
    assert "summary" not in json.loads(words.read_bytes())


def test_parallel_calls_have_all_to_return(workshop: Workshop) -> None:
    workshop.fire("SubagentStart", agent_id="a1")
    workshop.transcript.answer(60_000, tool_use_ids=("toolu_1", "toolu_2"), tool="Task")
    workshop.transcript.result("toolu_2")
    assert workshop.compact() == ""
    workshop.transcript.result("toolu_1")
    assert workshop.compact().startswith("Checkpoint cx-001 ")


def test_a_result_that_is_written_late_is_waited_for(caller: Workshop) -> None:
    late = threading.Timer(WRITTEN_SECONDS / 3, caller.transcript.result, ["toolu_agent"])
    late.start()
    assert caller.compact().startswith("Checkpoint cx-001 ")
    late.join()


def test_a_call_that_was_given_up_holds_nothing_back(caller: Workshop) -> None:
    """A client that was killed never writes the result; the person goes on in a resumed session."""
    caller.transcript.prompt("Go on without it")
    assert caller.compact().startswith("Checkpoint cx-001 ")


def test_what_the_client_adds_to_the_call_gives_nothing_up(caller: Workshop) -> None:
    caller.transcript.prompt("A skill's text", isMeta=True)
    assert caller.compact() == ""


def test_another_tools_call_is_none_of_a_subagent(caller: Workshop) -> None:
    caller.transcript.result("toolu_agent")
    caller.transcript.answer(61_000, tool_use_ids=("toolu_bash",), tool="Bash")
    assert caller.compact().startswith("Checkpoint cx-001 ")


@pytest.fixture
def beside(workshop: Workshop) -> Workshop:
    """A session of 2.1.197 that is at work beside a subagent in the background."""
    workshop.transcript = Transcript(workshop.transcript.path, version=OLD_CLIENT)
    workshop.fire("SubagentStart", agent_id="a1", agent_type="Explore")
    workshop.transcript.answer(ROOM, tool_use_ids=["toolu_bash"])
    workshop.transcript.result("toolu_bash")
    return workshop


def agent(caller: Workshop, tokens: int, *calls: str, result: str = "ok") -> Transcript:
    transcript = caller.transcript.subagent("a1")
    transcript.answer(tokens, tool_use_ids=calls)
    for call in calls:
        transcript.result(call, result)
    return transcript


def test_a_caller_with_room_is_not_compacted_where_its_subagent_has_none(beside: Workshop) -> None:
    agent(beside, FULL, "toolu_a")
    assert beside.compact() == ""
    assert not beside.folder.exists()
    assert beside.start("compact") == ""


def test_a_subagents_large_result_counts(beside: Workshop) -> None:
    agent(beside, FULL - 20_000, "toolu_a", result="x" * 100_000)
    assert beside.compact() == ""


@pytest.mark.parametrize("tokens", [FULL, FULL - 5_000])
def test_a_caller_without_room_is_compacted_itself(beside: Workshop, tokens: int) -> None:
    agent(beside, FULL, "toolu_a")
    beside.transcript.answer(tokens, tool_use_ids=["toolu_2"])
    beside.transcript.result("toolu_2")
    assert beside.compact().startswith("Checkpoint cx-001 ")


def test_a_callers_large_result_counts(beside: Workshop) -> None:
    agent(beside, FULL, "toolu_a")
    beside.transcript.answer(FULL - 40_000, tool_use_ids=["toolu_2"])
    beside.transcript.result("toolu_2", "x" * 200_000)
    assert beside.compact().startswith("Checkpoint cx-001 ")


def test_nobody_but_the_person_compacts_by_hand(beside: Workshop) -> None:
    agent(beside, FULL, "toolu_a")
    assert beside.compact("manual").startswith("Checkpoint cx-001 ")


def test_a_subagent_that_has_ended_or_has_room_isnt_compacted(beside: Workshop) -> None:
    agent(beside, FULL)
    assert beside.compact().startswith("Checkpoint cx-001 ")
    agent(beside, ROOM, "toolu_a")
    assert beside.compact().startswith("Checkpoint cx-002 ")


def test_a_subagent_that_wrote_long_ago_isnt_compacted_now(beside: Workshop) -> None:
    path = agent(beside, FULL, "toolu_a").path
    ago = path.stat().st_mtime - IDLE_SECONDS - 1
    os.utime(path, (ago, ago))
    assert beside.compact().startswith("Checkpoint cx-001 ")


def test_the_later_client_names_the_subagent_itself(beside: Workshop) -> None:
    agent(beside, FULL, "toolu_a")
    Transcript(beside.transcript.path).answer(ROOM, tool_use_ids=[])
    assert beside.compact().startswith("Checkpoint cx-001 ")
