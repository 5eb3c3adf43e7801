import json
import threading
import time
from pathlib import Path

import pytest

from monitor.measuring.compaction_owner import WRITTEN_SECONDS
from monitor.memory import memory as memories
from monitor.memory.memory import CompactionTimes
from tests.monitor.workshop import Workshop
from tests.transcripts import NEW_CLIENT, OLD_CLIENT, Transcript


@pytest.fixture
def workshop(workshop: Workshop) -> Workshop:
    """A session of the client version that doesn't name a compaction's owner."""
    workshop.transcript = Transcript(workshop.transcript.path, version=OLD_CLIENT)
    return workshop


@pytest.fixture
def caller(workshop: Workshop) -> Workshop:
    """A session at work that has just called a subagent."""
    return calling(workshop)


def calling(workshop: Workshop) -> Workshop:
    workshop.transcript.prompt("Change the greeting")
    workshop.edit("src/app.py")
    workshop.fire("SubagentStart", agent_id="a1", agent_type="Explore")
    workshop.transcript.answer(60_000, tool_use_ids=("toolu_agent",), tool="Agent")
    return workshop


def test_a_compaction_while_a_subagent_runs_is_not_attributed_to_its_caller(caller: Workshop) -> None:
    assert caller.compact() == ""
    assert not caller.folder.exists()
    assert caller.start("compact") == ""
    assert caller.memory.prompt is None


SUMMARY = "<summary>A subagent's own</summary>"


def summaries(workshop: Workshop) -> list[str]:
    """The stored summaries of the session, by checkpoint."""
    words = [json.loads(Path(checkpoint["words_path"]).read_bytes()) for checkpoint in workshop.checkpoints()]
    return [saved.get("summary", "") for saved in words]


@pytest.mark.parametrize("version", [OLD_CLIENT, NEW_CLIENT])
def test_a_subagents_summary_is_not_attributed_to_its_caller(workshop: Workshop, version: str) -> None:
    """Also where the caller's own compaction was given up, or its summary is still being written."""
    workshop.transcript = Transcript(workshop.transcript.path, version=version)
    caller = calling(workshop)
    caller.transcript.result("toolu_agent")
    caller.compact("manual")
    caller.transcript.answer(61_000, tool_use_ids=("toolu_other",), tool="Agent")
    caller.compact(**({"agent_id": "a1"} if version == NEW_CLIENT else {}))
    caller.fire("SubagentStop", agent_type="", last_assistant_message=SUMMARY)
    assert summaries(caller) == [""]


def test_after_a_subagents_compaction_has_ended_a_summary_is_the_callers(workshop: Workshop) -> None:
    workshop.transcript = Transcript(workshop.transcript.path, version=NEW_CLIENT)
    caller = calling(workshop)
    caller.compact(agent_id="a1")
    assert caller.start("compact", agent_id="a1") == ""
    caller.compact()
    caller.fire("SubagentStop", agent_type="", last_assistant_message=SUMMARY)
    assert summaries(caller) == ["A subagent's own"]


def test_a_subagent_does_not_get_its_callers_checkpoint(workshop: Workshop) -> None:
    busy = beside(workshop, 60_000)
    busy.compact("manual")
    busy.prompt("Go on")  # after an Esc
    assert busy.compact() == ""
    assert busy.start("compact") == ""
    assert busy.marks() == []
    assert busy.start("compact").startswith("<resumption-context>")


def test_the_second_of_two_simultaneous_compactions_is_a_full_subagents(workshop: Workshop) -> None:
    """Nothing tells which of them ends first, and the caller must not lose its checkpoint."""
    busy = beside(workshop, 168_000)
    assert busy.compact().startswith("Checkpoint cx-001 ")
    assert busy.compact() == ""
    assert busy.start("compact").startswith("<resumption-context>")
    assert busy.start("compact").startswith("<resumption-context>")


def test_a_stopped_full_subagent_has_no_compaction(workshop: Workshop) -> None:
    busy = beside(workshop, 60_000)
    busy.transcript.subagent("a1").prompt("[Request interrupted by user for tool use]")
    assert busy.compact().startswith("Checkpoint cx-001 ")


def test_a_subagent_carried_over_by_clear_has_its_own_compaction(workshop: Workshop) -> None:
    """It continues in the new session, which has started no subagent."""
    workshop.transcript.subagent("a1").answer(166_000, tool_use_ids=["toolu_a"])
    workshop.call("Bash", tokens=20_000, command="make")
    assert workshop.compact() == ""
    assert workshop.start("compact") == ""
    assert "<compaction-alert>" not in workshop.prompt("Go on")


def test_a_compaction_that_never_ended_expires(workshop: Workshop) -> None:
    busy = beside(workshop, 60_000)
    busy.compact("manual")
    with memories.locked(str(busy.root), busy.session_id) as lock:
        lock.memory.compaction_times = CompactionTimes(own=time.time() - 400)
    assert busy.compact() == ""
    assert busy.start("compact") == ""


def test_all_parallel_calls_have_to_return(workshop: Workshop) -> None:
    workshop.fire("SubagentStart", agent_id="a1")
    workshop.transcript.answer(60_000, tool_use_ids=("toolu_1", "toolu_2"), tool="Task")
    workshop.transcript.result("toolu_2")
    assert workshop.compact() == ""
    workshop.transcript.result("toolu_1")
    assert workshop.compact().startswith("Checkpoint cx-001 ")


def test_a_result_written_late_is_waited_for(caller: Workshop) -> None:
    late = threading.Timer(WRITTEN_SECONDS / 3, caller.transcript.result, ["toolu_agent"])
    late.start()
    assert caller.compact().startswith("Checkpoint cx-001 ")
    late.join()


def test_an_abandoned_call_holds_nothing_back(caller: Workshop) -> None:
    """A killed client never writes the result; the person continues in a resumed session."""
    caller.transcript.prompt("Go on without it")
    assert caller.compact().startswith("Checkpoint cx-001 ")


def test_the_clients_additions_to_a_call_do_not_abandon_it(caller: Workshop) -> None:
    caller.transcript.prompt("A skill's text", isMeta=True)
    assert caller.compact() == ""


def test_another_tools_call_does_not_start_a_subagent(caller: Workshop) -> None:
    caller.transcript.result("toolu_agent")
    caller.transcript.answer(61_000, tool_use_ids=("toolu_bash",), tool="Bash")
    assert caller.compact().startswith("Checkpoint cx-001 ")


def test_a_client_that_names_a_compactions_owner_is_believed(workshop: Workshop) -> None:
    """It prepares the caller's summary in the background, with the answer that called the subagent."""
    workshop.transcript = Transcript(workshop.transcript.path, version=NEW_CLIENT)
    assert calling(workshop).compact().startswith("Checkpoint cx-001 ")
    assert workshop.compact(agent_id="a1") == ""


def beside(workshop: Workshop, tokens: int, agent_tokens: int = 166_000) -> Workshop:
    """The session at work at `tokens` of 200,000, compacted at 167,000, and a subagent in the background."""
    workshop.fire("SubagentStart", agent_id="a1", agent_type="Explore")
    workshop.transcript.subagent("a1").answer(agent_tokens)
    workshop.call("Agent", tokens=tokens - 1_000, run_in_background=True)
    workshop.call("Bash", tokens=tokens, command="make")
    return workshop


def test_a_compaction_far_from_the_callers_limit_is_a_full_subagents(workshop: Workshop) -> None:
    busy = beside(workshop, 60_000)
    busy.transcript.subagent("a2").answer(20_000)
    assert busy.compact() == ""
    assert not busy.folder.exists()


def test_a_large_uncounted_result_fills_the_subagents_window(workshop: Workshop) -> None:
    busy = beside(workshop, 60_000, agent_tokens=120_000)
    busy.transcript.subagent("a2").answer(120_000)
    assert busy.compact().startswith("Checkpoint cx-001 ")
    busy.transcript.subagent("a2").result(text="x" * 160_000)
    assert busy.compact() == ""


@pytest.mark.parametrize("tokens", [145_000, 150_000, 168_000])
def test_a_compaction_near_the_callers_limit_is_the_callers(workshop: Workshop, tokens: int) -> None:
    assert beside(workshop, tokens).compact().startswith("Checkpoint cx-001 ")


def test_a_manual_compaction_is_the_callers(workshop: Workshop) -> None:
    assert beside(workshop, 60_000).compact("manual").startswith("Checkpoint cx-001 ")


@pytest.mark.parametrize("is_late", [False, True])
def test_a_large_result_of_the_caller_makes_the_compaction_the_callers(workshop: Workshop, *, is_late: bool) -> None:
    busy = beside(workshop, 60_000)
    late = threading.Timer(WRITTEN_SECONDS / 3 if is_late else 0, busy.transcript.result, ["toolu_1", "x" * 400_000])
    late.start()
    if not is_late:
        late.join()
    assert busy.compact().startswith("Checkpoint cx-001 ")
    late.join()


def test_a_subagent_whose_work_is_done_is_not_compacted(workshop: Workshop) -> None:
    busy = beside(workshop, 60_000)
    (agent,) = (busy.transcript.path.with_suffix("") / "subagents").iterdir()
    Transcript(agent, version=OLD_CLIENT, agent_id="a1").answer(166_500, tool_use_ids=())
    assert busy.compact().startswith("Checkpoint cx-001 ")


def test_a_compacted_subagent_is_not_near_its_limit(workshop: Workshop) -> None:
    busy = beside(workshop, 60_000)
    (agent,) = (busy.transcript.path.with_suffix("") / "subagents").iterdir()
    own = Transcript(agent, version=OLD_CLIENT, agent_id="a1")
    own.boundary(166_000)
    assert busy.compact().startswith("Checkpoint cx-001 ")


def test_a_compaction_is_the_callers_if_a_windows_size_is_unknown(workshop: Workshop) -> None:
    workshop.fire("SubagentStart", agent_id="a1", agent_type="Explore")
    workshop.transcript.subagent("a1").answer(166_000, model="boat-7")
    workshop.transcript.answer(60_000)
    assert workshop.compact().startswith("Checkpoint cx-001 ")


def test_a_later_client_names_the_owner_of_a_background_compaction(workshop: Workshop) -> None:
    workshop.transcript = Transcript(workshop.transcript.path, version=NEW_CLIENT)
    assert beside(workshop, 60_000).compact().startswith("Checkpoint cx-001 ")
