import pytest

from tests.monitor.scene import Scene, level_in


def growing(scene: Scene, *tokens: int) -> None:
    for number, count in enumerate(tokens):
        scene.transcript.answer(count, tool_use_ids=[f"toolu_{number}"], output=0)


def test_the_forecast_is_told_after_enough_turns(scene: Scene) -> None:
    growing(scene, 120_000, 125_000, 130_000, 135_000, 140_000)
    assert "About 5 tool uses left" in scene.message("toolu_4", tool_response="")


def test_pending_tokens_count_in_the_forecast(scene: Scene) -> None:
    """Pending are the answer's output and the current result, at four characters a token."""
    growing(scene, 120_000, 125_000, 130_000, 135_000)
    scene.transcript.answer(140_000, tool_use_ids=["toolu_4"], output=5_000)
    assert "About 2 tool uses left" in scene.message("toolu_4", tool_response={"stdout": "x" * 39_000})


IMAGE = {"type": "image", "file": {"base64": "x" * 600_000, "type": "image/png"}}


@pytest.mark.parametrize(
    ("response", "left"),
    [
        (IMAGE, 5),
        ([{"type": "text", "text": "a caption " * 60}, IMAGE], 5),
        ([IMAGE, {"type": "text", "text": "a log " * 10_000}], 2),
        ({"image": "nginx", "logs": "a log " * 10_000}, 2),
    ],
)
def test_an_image_takes_1600_tokens_whatever_its_length(scene: Scene, response: object, left: int) -> None:
    growing(scene, 120_000, 125_000, 130_000, 135_000, 140_000)
    assert f"About {left} tool uses left" in scene.message("toolu_4", tool_response=response)


def test_a_failures_text_counts_as_pending_too(scene: Scene) -> None:
    growing(scene, 120_000, 125_000, 130_000, 135_000, 140_000)
    text = scene.message("toolu_4", event="PostToolUseFailure", tool_response=..., error="x" * 40_000)
    assert "About 3 tool uses left" in text


def test_without_enough_turns_there_is_no_forecast(scene: Scene) -> None:
    growing(scene, 120_000, 125_000, 130_000, 135_000)
    text = scene.message("toolu_3")
    assert level_in(text) == "WARNING"
    assert "tool uses left" not in text
