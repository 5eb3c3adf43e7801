import pytest

from shared.wording import tool_uses_text


@pytest.mark.parametrize(
    ("left", "text"),
    [
        (None, ""),
        (0, "At the recent pace the next tool use may not fit."),
        (1, "About 1 tool use left."),
        (2, "About 2 tool uses left."),
    ],
)
def test_the_forecast_is_said_in_whole_tool_uses(left: int | None, text: str) -> None:
    assert tool_uses_text(left) == text
