import pytest

from shared.config import Config
from shared.levels import Level
from statusline.payload import Payload
from statusline.segments.forecast import IMPORTANCE, MOST, URGENT, render
from statusline.status import Status
from tests.statusline.scene import text, with_tokens


@pytest.mark.parametrize(
    ("left", "full", "short"),
    [
        (0, "~0 tool uses left", "~0 uses left"),
        (1, "~1 tool use left", "~1 use left"),
        (9, "~9 tool uses left", "~9 uses left"),
    ],
)
def test_the_number_is_the_verdicts(left: int, full: str, short: str) -> None:
    segment = render(with_tokens(150_000, tool_uses_left=left), Config())

    assert (text(segment), text(segment, 0)) == (full, short)


def test_without_a_forecast_nothing_is_said() -> None:
    assert render(with_tokens(91_000), Config()) is None
    assert render(Status(Payload()), Config()) is None


def test_what_is_far_away_is_not_counted() -> None:
    assert render(with_tokens(1_000, tool_uses_left=MOST), Config())
    assert render(with_tokens(1_000, tool_uses_left=MOST + 1), Config()) is None


def test_it_gets_urgent_with_the_first_level() -> None:
    calm = render(with_tokens(91_000, tool_uses_left=20), Config())
    urgent = render(with_tokens(134_000, tool_uses_left=20, level=Level.WARNING), Config())

    assert calm
    assert urgent
    assert (calm[-1].importance, urgent[-1].importance) == (IMPORTANCE, URGENT)
