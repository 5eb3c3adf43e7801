"""A subagent's messages are about its own window, and its parent's about the parent's."""

import json
import re
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from shared.gauge.wording import RETRACTION
from tests.client.client import COMPACTED, HEADLESS, MILLION, Client
from tests.client.clients import binary
from tests.client.injected import LevelWarning, heads, injections, warnings
from tests.client.model import MAIN, SUMMARY, ScriptedModel, texts
from tests.client.step import SLOW, Step, bash, delegate, in_background, say, workflow
from tests.client.terminal import SPINNER
from tests.levels import FIRST_TOKENS, head_at
from tests.monitor.workshop import FOLDER
from tests.transcripts import OLD_CLIENT

pytestmark = pytest.mark.client

ERRAND, SECOND_ERRAND = "Walk round the harbour", "Paint the fishing boat"


def errand_is_done(model: ScriptedModel) -> None:
    """Make the parent wait for its subagent, as 2.1.197 does by itself; 2.1.330 runs it in the background."""
    model.wait_for_end(ERRAND)


@pytest.mark.parametrize("called", [delegate, workflow])
def test_a_subagent_is_told_about_its_own_window(
    client: Client, mode: str, project: Path, called: Callable[[int, str], Step]
) -> None:
    parent = [bash(50_000), called(51_000, ERRAND), bash(52_000)._replace(hold=errand_is_done)]
    first = FIRST_TOKENS + 1_000
    errand = [bash(first - 20_000), bash(first), bash(first + 1_000), bash(152_000), say(153_000, "Walked.")]
    played = client.play(mode, project, {MAIN: [*parent, say(53_000, "Enough.")], ERRAND: errand})
    assert heads(played.of(ERRAND)) == [
        (2, head_at(first)),
        (4, head_at(152_000)),
    ]
    assert heads(played.of(MAIN)) == []


def test_a_subagent_is_never_told_about_its_parent(client: Client, mode: str, project: Path) -> None:
    # the parent's tool uses 1 and 2, then 3 to 6: what its subagent does in between doesn't count
    parent = [bash(140_000, SLOW), delegate(140_100, ERRAND), bash(140_200)._replace(hold=errand_is_done)]
    parent += [bash(140_300), bash(140_400), bash(140_500), say(140_600, "Enough.")]
    errand = [*[bash(20_000 + step) for step in range(7)], say(30_000, "Walked.")]
    played = client.play(mode, project, {MAIN: parent, ERRAND: errand})
    warning = head_at(140_000)
    assert heads(played.of(ERRAND)) == []
    assert heads(played.of(MAIN)) == [(1, warning), (6, warning)]


@pytest.mark.parametrize(("own", "parents"), [(152_000, 50_000), (50_000, 152_000)])
def test_a_subagents_subagent_is_told_about_its_own_caller(
    client: Client, mode: str, project: Path, own: int, parents: int
) -> None:
    parent = [bash(40_000), delegate(parents, ERRAND), bash(parents + 100)._replace(hold=errand_is_done)]
    errand = [bash(15_000), delegate(own, SECOND_ERRAND), say(own + 100, "Walked.")]
    scripts = {MAIN: [*parent, say(parents + 200, "Enough.")], ERRAND: errand, SECOND_ERRAND: [say(12_000, "Painted.")]}
    played = client.play(mode, project, scripts, model=COMPACTED)
    starts = {
        errand: [injection.text for injection in injections(played.of(errand)) if injection.event == "SubagentStart"]
        for errand in (ERRAND, SECOND_ERRAND)
    }
    (text,) = starts.pop(ERRAND if parents > own else SECOND_ERRAND)
    assert "Your caller's context window is 76% used" in text
    assert [*starts.values()] == [[]]


def test_a_subagents_first_tool_use_can_bring_a_message(client: Client, mode: str, project: Path) -> None:
    parent = [delegate(20_000, ERRAND), bash(21_000)._replace(hold=errand_is_done), say(22_000, "Enough.")]
    played = client.play(mode, project, {MAIN: parent, ERRAND: [bash(171_000, SLOW), say(172_000, "Walked.")]})
    assert heads(played.of(ERRAND)) == [(1, head_at(171_000))]
    assert heads(played.of(MAIN)) == []


@pytest.mark.parametrize(("own_model", "levels"), [(MILLION, []), (COMPACTED, ["CRITICAL 24%"])])
def test_a_subagent_of_the_sessions_model_may_have_another_window(
    client: Client, mode: str, project: Path, own_model: str, levels: list[str]
) -> None:
    parent = [delegate(21_000, ERRAND), bash(22_000)._replace(hold=errand_is_done), say(23_000, "Enough.")]
    errand = [bash(100_000, SLOW), bash(152_000, SLOW), say(153_000, "Walked.")]
    chosen = client._replace(more={"CLAUDE_CODE_SUBAGENT_MODEL": own_model})
    played = chosen.play(mode, project, {MAIN: parent, ERRAND: errand}, model=MILLION if levels else COMPACTED)
    assert [message for _, message in heads(played.of(ERRAND))] == levels
    assert "assumed" not in json.dumps([request.body for request in played.of(ERRAND)])


@pytest.mark.parametrize(("session_model", "own_model"), [(COMPACTED, MILLION), (MILLION, COMPACTED)])
def test_an_agent_has_a_million_by_its_own_file_or_its_session(
    client: Client, mode: str, project: Path, session_model: str, own_model: str
) -> None:
    agents = project / ".claude" / "agents"
    agents.mkdir(parents=True)
    (agents / "scout.md").write_text(f"---\nname: scout\ndescription: looks\nmodel: {own_model}\n---\nLook around.\n")
    parent = [delegate(21_000, ERRAND, "scout"), bash(22_000)._replace(hold=errand_is_done), say(23_000, "Enough.")]
    errand = [bash(100_000, SLOW), bash(152_000, SLOW), bash(302_000), say(303_000, "Walked.")]
    played = client.play(mode, project, {MAIN: parent, ERRAND: errand}, model=session_model)
    assert heads(played.of(ERRAND)) == []
    assert not played.of(SUMMARY)


@pytest.mark.parametrize("kind", ["general-purpose", "fork"])
def test_a_subagent_with_a_million_is_measured_correctly_without_a_status_line(
    client: Client, project: Path, kind: str
) -> None:
    parent = [bash(20_000, SLOW), delegate(21_000, ERRAND, kind), bash(22_000)._replace(hold=errand_is_done)]
    errand = [bash(131_000, SLOW), bash(168_000, SLOW), bash(860_000, SLOW), say(861_000, "Walked.")]
    forking = client._replace(more={"CLAUDE_CODE_FORK_SUBAGENT": "1"} if kind == "fork" else {})
    scripts = {MAIN: [*parent, say(23_000, "Enough.")], ERRAND: errand}
    played = forking.headless(project, scripts, model=MILLION)
    assert warnings(played.of(ERRAND)) == [LevelWarning(3, "WARNING", 14, 860_000, 1_000_000)]
    assert "assumed" not in json.dumps([request.body for request in played.of(ERRAND)])


@pytest.mark.parametrize("called", [delegate, lambda *step: in_background(delegate(*step)), workflow])
def test_a_subagents_compaction_does_not_affect_its_caller(
    client: Client, mode: str, project: Path, called: Callable[[int, str], Step]
) -> None:
    parent = [bash(50_000), called(51_000, ERRAND), bash(52_000)._replace(hold=errand_is_done)]
    errand = [bash(110_000), bash(168_000, SLOW), bash(20_000, SLOW), say(21_000, "Walked.")]
    summary = say(5_000, f"<summary>{ERRAND}: halfway.</summary>")  # its next requests begin with that
    scripts = {MAIN: [*parent, say(53_000, "Enough.")], ERRAND: errand, SUMMARY: [summary]}
    played = client.play(mode, project, scripts, model=COMPACTED)
    (asked,) = played.of(SUMMARY)
    assert "Additional Instructions" not in "".join(texts(asked.body["messages"][-1]["content"]))
    takes_back_at_once(client, played)
    assert not (project / ".claude").exists()


def takes_back_at_once(client: Client, model: ScriptedModel) -> None:
    """Assert what the errand is told of its compaction: 2.1.197 doesn't say whose its start is."""
    given = injections(model.of(ERRAND))
    starts = [injection.text for injection in given if injection.event == "SessionStart"]
    assert starts == ([] if client.version == OLD_CLIENT else [RETRACTION])
    assert {injection.event for injection in given} - {"SessionStart"} == {"PostToolUse"}
    assert len([injection for injection in given if injection.text == RETRACTION]) == 1


def test_a_callers_compaction_is_recognised_beside_a_full_subagent(client: Client, project: Path) -> None:
    def errand_is_full(model: ScriptedModel) -> None:
        model.wait_for_requests(2, ERRAND)

    def caller_is_compacted(model: ScriptedModel) -> None:
        model.wait_for_requests(4)

    parent = [bash(50_000), in_background(delegate(51_000, ERRAND)), bash(168_000, SLOW)._replace(hold=errand_is_full)]
    parent += [bash(20_000)._replace(hold=errand_is_done), say(21_000, "Enough.")]
    errand = [bash(150_000), bash(151_000)._replace(hold=caller_is_compacted), say(152_000, "Walked.")]
    scripts = {MAIN: parent, ERRAND: errand}
    played = client.play(HEADLESS, project, scripts, model=COMPACTED)
    (asked,) = played.of(SUMMARY)
    assert "Additional Instructions:\nCheckpoint cx-" in "".join(texts(asked.body["messages"][-1]["content"]))


def test_a_stopped_full_subagent_is_not_credited_with_a_compaction(home: Path, project: Path) -> None:
    """2.1.197 doesn't say whose a compaction is, and the API may force one far from the caller's limit."""
    refusal = Step(1, error="prompt is too long: 210000 tokens > 200000 maximum")
    parent = [bash(50_000), delegate(51_000, ERRAND), bash(99_000, SLOW), refusal, say(21_000, "Second.")]
    errand = [bash(150_000), bash(160_000, "sleep 40")]
    client = Client("2.1.197", binary("2.1.197"), home)
    with client.interactive(project, {MAIN: parent, ERRAND: errand}, model=COMPACTED) as conversation:
        conversation.say("go")
        conversation.model.wait_for_requests(2, ERRAND)
        conversation.terminal.wait_for("sleep 40")
        conversation.terminal.press_until("Escape", lambda screen: not re.search(SPINNER, screen), "a client at rest")
        conversation.terminal.press("C-u")
        conversation.say("go on")
        conversation.terminal.wait_for("Second")
    (asked,) = conversation.model.of(SUMMARY)
    assert "Additional Instructions:\nCheckpoint cx-" in "".join(texts(asked.body["messages"][-1]["content"]))


def test_a_subagent_still_running_after_clear_has_its_own_compaction(client: Client, project: Path) -> None:
    is_cleared = threading.Event()

    def late(_: ScriptedModel) -> None:
        is_cleared.wait(60)

    parent = [bash(50_000), in_background(delegate(51_000, ERRAND)), say(52_000, "Waiting.")]
    parent += [say(20_000, "Second."), say(21_000, "Third.")]
    errand = [bash(110_000), bash(168_000, SLOW)._replace(hold=late), bash(20_000, SLOW), say(21_000, "Walked.")]
    summary = say(5_000, f"<summary>{ERRAND}: halfway.</summary>")
    scripts = {MAIN: parent, ERRAND: errand, SUMMARY: [summary]}
    with client.interactive(project, scripts, model=COMPACTED) as conversation:
        conversation.say("go")
        conversation.terminal.wait_for("Waiting")
        conversation.clear()
        conversation.say("Something new")
        conversation.terminal.wait_for("Second")
        is_cleared.set()
        conversation.model.wait_for_requests(5)  # the subagent's end
    (asked,) = conversation.model.of(SUMMARY)
    assert "Additional Instructions" not in "".join(texts(asked.body["messages"][-1]["content"]))
    takes_back_at_once(client, conversation.model)
    assert not [
        injection for injection in injections(conversation.model.of(MAIN)) if "<compaction-alert>" in injection.text
    ]
    assert not (project / ".claude").exists()


def test_a_cancelled_compaction_passes_nothing_to_a_subagents_one(client: Client, project: Path) -> None:
    """The checkpoint of a `/compact` that Esc ended is the caller's: a subagent's summary and start don't use it."""
    is_given_up = threading.Event()

    def late(_: ScriptedModel) -> None:
        is_given_up.wait(30)

    def work_is_done(model: ScriptedModel) -> None:
        model.wait_for_requests(4, ERRAND)

    parent = [bash(50_000), say(60_000, "Waiting."), in_background(delegate(61_000, ERRAND))]
    parent += [say(62_000, "Second.")._replace(hold=work_is_done), say(63_000, "Third.")]
    errand = [bash(110_000), bash(168_000, SLOW), bash(20_000, SLOW), say(21_000, "Walked.")]
    own = say(5_000, "<summary>Main work.</summary>")._replace(hold=late)
    scripts = {MAIN: parent, ERRAND: errand, SUMMARY: [own, say(5_000, f"<summary>{ERRAND}: halfway.</summary>")]}
    with client.interactive(project, scripts, model=COMPACTED) as conversation:
        conversation.say("go")
        conversation.terminal.wait_for("Waiting")
        conversation.terminal.type("/compact")
        conversation.model.wait_for_requests(1, SUMMARY)
        conversation.terminal.press_until("Escape", lambda screen: not re.search(SPINNER, screen), "a client at rest")
        is_given_up.set()
        conversation.terminal.press("C-u")
        conversation.say("go on")
        conversation.model.wait_for_requests(4, ERRAND)
        conversation.terminal.wait_for("Second")
    saved = [json.loads(path.read_bytes()) for path in (project / FOLDER).glob("cx-*-checkpoint.json")]
    assert saved
    assert not [one for one in saved if "halfway" in Path(one["words_path"]).read_text(encoding="utf-8")]
    given = [injection.text for injection in injections(conversation.model.of(ERRAND))]
    assert not [text for text in given if "resumption-context" in text]
