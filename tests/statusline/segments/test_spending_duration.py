import pytest

from statusline.measuring.status import Status
from statusline.payload import Cost, Payload
from statusline.segments import spending
from tests.statusline.scene import text


@pytest.mark.parametrize(
    ("milliseconds", "expected"), [(None, None), (0, None), (674, None), (11_525, "11s"), (4_380_000, "1h13m")]
)
def test_the_time_since_the_session_began(milliseconds: float | None, expected: str | None) -> None:
    assert text(spending.duration(Status(Payload(cost=Cost(total_duration_ms=milliseconds))))) == expected


def test_without_a_duration_nothing_is_said() -> None:
    assert spending.duration(Status(Payload())) is None
