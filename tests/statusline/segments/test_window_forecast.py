import pytest

from shared.gauge.levels import Level
from statusline.measuring.status import Status
from statusline.payload import Payload
from statusline.segments import window
from tests.statusline.scene import text, with_tokens


@pytest.mark.parametrize(
    ("uses", "full", "short"),
    [
        (0, "~0 tool uses left", "~0 uses left"),
        (1, "~1 tool use left", "~1 use left"),
        (9, "~9 tool uses left", "~9 uses left"),
    ],
)
def test_the_number_comes_from_the_verdict(uses: int, full: str, short: str) -> None:
    segment = window.forecast(with_tokens(150_000, tool_uses_left=uses))

    assert (text(segment), text(segment, 0)) == (full, short)


def test_without_a_forecast_nothing_is_said() -> None:
    assert window.forecast(with_tokens(91_000)) is None
    assert window.forecast(Status(Payload())) is None


def test_a_distant_limit_is_not_counted_in_tool_uses() -> None:
    assert window.forecast(with_tokens(1_000, tool_uses_left=window.MOST_TOOL_USES))
    assert window.forecast(with_tokens(1_000, tool_uses_left=window.MOST_TOOL_USES + 1)) is None


def test_it_gets_urgent_with_the_first_level() -> None:
    calm = window.forecast(with_tokens(91_000, tool_uses_left=20))
    urgent = window.forecast(with_tokens(134_000, tool_uses_left=20, level=Level.WARNING))

    assert calm
    assert urgent
    assert (calm[-1].importance, urgent[-1].importance) == (window.FORECAST_IMPORTANCE, window.FORECAST_URGENT)
