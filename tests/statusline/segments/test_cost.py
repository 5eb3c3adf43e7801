import pytest

from shared.config import Config
from statusline.payload import Cost, Payload
from statusline.segments.cost import render
from statusline.status import Status
from tests.statusline.scene import text


@pytest.mark.parametrize(
    ("dollars", "shown"),
    [(None, None), (0, None), (0.001, "<$0.01"), (0.28, "$0.28"), (4.266, "$4.27"), (1234.5, "$1,234.50")],
)
def test_cost_is_in_dollars_and_cents(dollars: float | None, shown: str | None) -> None:
    assert text(render(Status(Payload(cost=Cost(total_cost_usd=dollars))), Config())) == shown


def test_without_a_cost_nothing_is_said() -> None:
    assert render(Status(Payload()), Config()) is None
