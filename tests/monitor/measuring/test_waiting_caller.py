import json
import threading
from pathlib import Path

import pytest

from monitor.measuring.waiting_caller import WRITTEN_SECONDS
from tests.monitor.workshop import Workshop
from tests.transcripts import NEW_CLIENT, OLD_CLIENT, Transcript


@pytest.fixture
def workshop(workshop: Workshop) -> Workshop:
    """A session of the client that doesn't say whose a compaction is."""
    workshop.transcript = Transcript(workshop.transcript.path, version=OLD_CLIENT)
    return workshop


@pytest.fixture
def caller(workshop: Workshop) -> Workshop:
    """A session in the middle of its work, which has just called a subagent."""
    return calling(workshop)


def calling(workshop: Workshop) -> Workshop:
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


@pytest.mark.parametrize("version", [OLD_CLIENT, NEW_CLIENT])
def test_what_a_subagents_summariser_wrote_is_not_its_callers(workshop: Workshop, version: str) -> None:
    workshop.transcript = Transcript(workshop.transcript.path, version=version)
    caller = calling(workshop)
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


def test_a_client_that_says_whose_a_compaction_is_is_believed(workshop: Workshop) -> None:
    """It prepares its caller's summary beside the turn, with the answer that has called the subagent."""
    workshop.transcript = Transcript(workshop.transcript.path, version=NEW_CLIENT)
    assert calling(workshop).compact().startswith("Checkpoint cx-001 ")
    assert workshop.compact(agent_id="a1") == ""
