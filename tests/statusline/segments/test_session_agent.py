import pytest

from statusline.measuring.status import Status
from statusline.payload import Named, Payload
from statusline.segments import session
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
    assert text(session.agent(Status(Payload(agent=agent)))) == shown


def test_a_long_name_is_shortened() -> None:
    segment = session.agent(Status(Payload(agent=Named("reviewer-of-all-changes"))))

    assert text(segment, 0) == "agent reviewer-of-all…"
