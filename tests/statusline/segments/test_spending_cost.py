import pytest

from statusline.measuring.status import Status
from statusline.payload import Cost, Payload
from statusline.segments import spending
from tests.statusline.scene import text


@pytest.mark.parametrize(
    ("dollars", "expected"),
    [(None, None), (0, None), (0.001, "<$0.01"), (0.28, "$0.28"), (4.266, "$4.27"), (1234.5, "$1,234.50")],
)
def test_cost_is_in_dollars_and_cents(dollars: float | None, expected: str | None) -> None:
    assert text(spending.cost(Status(Payload(cost=Cost(total_cost_usd=dollars))))) == expected


def test_without_a_cost_nothing_is_said() -> None:
    assert spending.cost(Status(Payload())) is None
