"""The messages of the ceiling guard and of a subagent's start arrive, and a strict ceiling blocks the tool."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.client.client import HEADLESS, INTERACTIVE, MODEL, Client
from tests.client.injected import injections
from tests.client.model import MAIN, Request, ScriptedModel, texts
from tests.client.step import Call, Step, bash, delegate, in_background, say

pytestmark = [pytest.mark.client, pytest.mark.any_client]

ERRAND, OTHER = "Walk round the harbour", "Count the boats"
STRICT = {"DEV_TEAM_CONTEXT_STRICT": "on"}
CEILING = "(ceiling: 40%)"
BLOCKED = "is blocked"
ROOM = "Your caller's context window is"


@pytest.fixture
def strict(client: Client) -> Client:
    return client._replace(more=STRICT)


def skill(tokens: int, name: str) -> Step:
    return Step(tokens, calls=(Call("Skill", {"skill": name}),))


def until_done(step: Step, errand: str) -> Step:
    """`step` with a parent that waits for its subagent, as in 2.1.197; 2.1.330 runs it in the background."""
    return step._replace(hold=lambda model: model.wait_for_end(errand))


def write_skill(project: Path, name: str, words: str) -> None:
    folder = project / ".claude" / "skills" / name
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(f"---\nname: {name}\ndescription: Takes work up again.\n---\n{words}\n")


def warning_requests(requests: Iterable[Request]) -> list[int]:
    """The requests with a warning of the ceiling guard."""
    return [
        injection.request
        for injection in injections(requests)
        if injection.event == "PreToolUse" and CEILING in injection.text and BLOCKED not in injection.text
    ]


def results(request: Request) -> str:
    """The tool results of the step before."""
    content = request.body["messages"][-1]["content"]
    blocks = content if isinstance(content, list) else []
    return "".join(text for block in blocks if block.get("type") == "tool_result" for text in texts(block))


def everything(requests: Iterable[Request]) -> str:
    return "".join(
        text for request in requests for message in request.body["messages"] for text in texts(message["content"])
    )


def test_an_agent_over_the_ceiling_brings_one_warning_and_runs(client: Client, project: Path) -> None:
    steps = [bash(90_000), delegate(90_100, ERRAND), until_done(bash(90_200), ERRAND)]
    steps += [delegate(90_300, OTHER), until_done(bash(90_400), OTHER), say(90_500, "Enough.")]
    errands = {ERRAND: [bash(20_000), say(21_000, "Walked.")], OTHER: [say(20_000, "Counted.")]}
    played = client.play(HEADLESS, project, {MAIN: steps, **errands})
    assert warning_requests(played.of(MAIN)) == [2]
    assert [len(played.of(errand)) for errand in errands] == [2, 1]


def test_an_agent_below_the_ceiling_brings_no_warning(client: Client, project: Path) -> None:
    steps = [bash(50_000), delegate(51_000, ERRAND), until_done(bash(52_000), ERRAND), say(53_000, "Enough.")]
    played = client.play(HEADLESS, project, {MAIN: steps, ERRAND: [say(20_000, "Walked.")]})
    assert CEILING not in everything(played.requests)
    assert len(played.of(ERRAND)) == 1


def test_a_strict_ceiling_blocks_an_agent(strict: Client, project: Path) -> None:
    steps = [bash(90_000), delegate(90_100, ERRAND), bash(90_200), say(90_300, "Enough.")]
    played = strict.play(HEADLESS, project, {MAIN: steps, ERRAND: [say(20_000, "Walked.")]})
    answer = results(played.of(MAIN)[2])
    assert f"45% of the context window is used {CEILING}." in answer
    assert f"Agent general-purpose {BLOCKED}" in answer
    assert played.of(ERRAND) == []


def test_a_strict_ceiling_blocks_nothing_for_an_assumed_window(client: Client, mode: str, project: Path) -> None:
    """A status line reports the size, as do 2.1.330's own records; 2.1.197 run headless has neither, and an alias may
    stand for a model with [1m].
    """
    steps = [bash(90_000), skill(90_100, "survey"), say(90_200, "Enough.")]
    write_skill(project, "survey", "Hoist the red flag.")
    more = STRICT | {"ANTHROPIC_DEFAULT_OPUS_MODEL": MODEL}
    played = client._replace(more=more).play(mode, project, {MAIN: steps}, model="opus")
    _, _, after_survey = played.of(MAIN)
    is_known = mode == INTERACTIVE or client.version != "2.1.197"
    assert (f"Skill survey {BLOCKED}" in results(after_survey)) is is_known
    assert ("Hoist the red flag." in everything([after_survey])) is not is_known
    assert warning_requests(played.of(MAIN)) == ([] if is_known else [2])


def test_a_strict_ceiling_allows_a_recovery_skill(strict: Client, project: Path) -> None:
    project.mkdir()
    write_skill(project, "continue", "Hoist the blue flag.")
    write_skill(project, "survey", "Hoist the red flag.")
    steps = [bash(90_000), skill(90_100, "continue"), skill(90_200, "survey"), say(90_300, "Enough.")]
    played = strict.play(HEADLESS, project, {MAIN: steps})
    _, _, after_continue, after_survey = played.of(MAIN)
    assert CEILING not in everything([after_continue])
    assert "Hoist the blue flag." in everything([after_continue])
    assert f"Skill survey {BLOCKED}" in results(after_survey)
    assert "Hoist the red flag." not in everything([after_survey])


def test_a_subagent_has_its_own_ceiling(strict: Client, project: Path) -> None:
    def parent_is_over(model: ScriptedModel) -> None:
        model.wait_for_requests(4)

    project.mkdir()
    write_skill(project, "survey", "Hoist the red flag.")
    parent = [bash(50_000), in_background(delegate(51_000, ERRAND)), bash(90_000)]
    parent += [until_done(skill(91_000, "survey"), ERRAND), say(92_000, "Enough.")]
    errand = [bash(20_000)._replace(hold=parent_is_over), skill(21_000, "survey"), delegate(21_500, OTHER)]
    errand += [say(22_000, "Walked.")]
    played = strict.play(HEADLESS, project, {MAIN: parent, ERRAND: errand, OTHER: [say(10_000, "Counted.")]})
    assert "Hoist the red flag." in everything(played.of(ERRAND))
    assert len(played.of(OTHER)) == 1
    assert CEILING not in everything([*played.of(ERRAND), *played.of(OTHER)])
    assert f"Skill survey {BLOCKED}" in everything(played.of(MAIN))


@pytest.mark.parametrize(("tokens", "is_told"), [(50_000, False), (140_000, True)])
def test_a_subagent_is_told_its_callers_remaining_room(
    client: Client, project: Path, tokens: int, *, is_told: bool
) -> None:
    steps = [bash(tokens), delegate(tokens + 100, ERRAND), until_done(bash(tokens + 200), ERRAND)]
    steps.append(say(tokens + 300, "Enough."))
    played = client.play(HEADLESS, project, {MAIN: steps, ERRAND: [say(20_000, "Walked.")]})
    first, *_ = played.of(ERRAND)
    assert (f"{ROOM} 70% used" in everything([first])) is is_told
    assert (ROOM in everything([first])) is is_told
    assert ROOM not in everything(played.of(MAIN))
