import pytest

from shared.config import Config
from statusline.payload import Cost, Payload
from statusline.segments.duration import render
from statusline.status import Status
from tests.statusline.scene import text


@pytest.mark.parametrize(
    ("milliseconds", "shown"), [(None, None), (0, None), (674, None), (11_525, "11s"), (4_380_000, "1h13m")]
)
def test_the_time_since_the_session_began(milliseconds: float | None, shown: str | None) -> None:
    assert text(render(Status(Payload(cost=Cost(total_duration_ms=milliseconds))), Config())) == shown


def test_without_a_duration_nothing_is_said() -> None:
    assert render(Status(Payload()), Config()) is None
