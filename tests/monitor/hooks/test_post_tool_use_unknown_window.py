"""A window of unknown size: told twice, in tokens, and never an order."""

import pytest

from tests.monitor.scene import Scene

MODEL = "house-model-1"
"""None that the catalogue knows."""


def told(scene: Scene, tokens: int, agent: str | None = None) -> str:
    own = scene.transcript.subagent(agent) if agent else scene.transcript
    name = f"toolu_{own.size}"
    own.answer(tokens, id=f"msg_{name}", tool_use_ids=[name], model=MODEL)
    said = scene.told(name, agent_id=agent)
    own.result(name)
    return said


@pytest.mark.parametrize("agent", [None, "a1"])
def test_it_is_told_at_130000_and_at_170000_tokens_once_each(scene: Scene, agent: str | None) -> None:
    steps = [129_999, 130_000, 131_000, 150_000, 169_999, 170_000, 171_000, *[190_000] * 5]
    found = [told(scene, tokens, agent) for tokens in steps]
    assert [bool(said) for said in found] == [False, True, False, False, False, True, *[False] * 6]
    for said, tokens in ((found[1], "130,000"), (found[5], "170,000")):
        assert said.splitlines()[1] == f"CONTEXT WINDOW WARNING — {tokens} tokens used, window size unknown."
        assert "The window's size is unknown, so this is advice:" in said
        assert "%" not in said


def test_a_prompt_says_nothing_of_it(scene: Scene) -> None:
    scene.configure("hooks.tag_every_prompt = false")
    told(scene, 150_000)
    assert scene.told(None, event="UserPromptSubmit", prompt="Go on") == ""


def test_a_size_that_becomes_known_counts_at_once(scene: Scene) -> None:
    told(scene, 172_000)
    scene.configure("window.size = 200_000")
    assert "CONTEXT WINDOW EXHAUSTED — 13% remaining" in told(scene, 173_000)
