import pytest

from statusline.measuring.status import Status
from statusline.payload import Cost, Payload
from statusline.segments import session
from tests.statusline.scene import text


@pytest.mark.parametrize(
    ("added", "removed", "expected"),
    [(312, 48, "+312 -48"), (5, None, "+5"), (None, 5, "-5"), (0, 0, None), (None, None, None)],
)
def test_lines_added_and_removed(added: int | None, removed: int | None, expected: str | None) -> None:
    cost = Cost(total_lines_added=added, total_lines_removed=removed)

    assert text(session.changes(Status(Payload(cost=cost)))) == expected


def test_without_counts_nothing_is_said() -> None:
    assert session.changes(Status(Payload())) is None
