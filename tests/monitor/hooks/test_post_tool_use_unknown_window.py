"""A window of unknown size: reported twice, in tokens, and never as an instruction."""

import pytest

from tests.monitor.scene import Scene

MODEL = "house-model-1"
"""None that the catalogue knows."""


def message_at(scene: Scene, tokens: int, agent: str | None = None) -> str:
    own = scene.transcript.subagent(agent) if agent else scene.transcript
    name = f"toolu_{own.size}"
    own.answer(tokens, id=f"msg_{name}", tool_use_ids=[name], model=MODEL)
    message = scene.message(name, agent_id=agent)
    own.result(name)
    return message


@pytest.mark.parametrize("agent", [None, "a1"])
def test_it_is_reported_once_at_130000_and_once_at_170000_tokens(scene: Scene, agent: str | None) -> None:
    steps = [129_999, 130_000, 131_000, 150_000, 169_999, 170_000, 171_000, *[190_000] * 5]
    messages = [message_at(scene, tokens, agent) for tokens in steps]
    assert [bool(message) for message in messages] == [False, True, False, False, False, True, *[False] * 6]
    for message, tokens in ((messages[1], "130,000"), (messages[5], "170,000")):
        assert message.splitlines()[1] == f"CONTEXT WINDOW WARNING — {tokens} tokens used, window size unknown."
        assert "The window's size is unknown, so this is advice:" in message
        assert "%" not in message


def test_a_prompt_does_not_report_it(scene: Scene) -> None:
    scene.configure("hooks.tag_every_prompt = false")
    message_at(scene, 150_000)
    assert scene.message(None, event="UserPromptSubmit", prompt="Go on") == ""


def test_a_size_that_becomes_known_applies_at_once(scene: Scene) -> None:
    message_at(scene, 172_000)
    scene.configure("window.size = 200_000")
    assert "CONTEXT WINDOW EXHAUSTED — 13% remaining" in message_at(scene, 173_000)
