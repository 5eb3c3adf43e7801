import pytest

from shared.config import Config
from statusline.payload import Named, Payload
from statusline.segments.agent import render
from statusline.status import Status
from tests.statusline.scene import text


@pytest.mark.parametrize(
    ("agent", "shown"),
    [
        (Named("reviewer"), "agent reviewer"),
        (Named("re\x1bviewer\n"), "agent reviewer"),
        (Named(""), None),
        (Named(), None),
        (None, None),
    ],
)
def test_the_agent_is_named(agent: Named | None, shown: str | None) -> None:
    assert text(render(Status(Payload(agent=agent)), Config())) == shown


def test_a_long_name_is_shortened() -> None:
    segment = render(Status(Payload(agent=Named("reviewer-of-all-changes"))), Config())

    assert text(segment, 0) == "agent reviewer-of-all…"
