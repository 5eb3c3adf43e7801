import pytest

from shared.config import Config
from statusline.payload import Cost, Payload
from statusline.segments.changes import render
from statusline.status import Status
from tests.statusline.scene import text


@pytest.mark.parametrize(
    ("added", "removed", "shown"),
    [(312, 48, "+312 -48"), (5, None, "+5"), (None, 5, "-5"), (0, 0, None), (None, None, None)],
)
def test_lines_added_and_removed(added: int | None, removed: int | None, shown: str | None) -> None:
    cost = Cost(total_lines_added=added, total_lines_removed=removed)

    assert text(render(Status(Payload(cost=cost)), Config())) == shown


def test_without_counts_nothing_is_said() -> None:
    assert render(Status(Payload()), Config()) is None
