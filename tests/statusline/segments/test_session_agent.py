import pytest

from statusline.measuring.status import Status
from statusline.payload import NamedPart, Payload
from statusline.segments import session
from tests.statusline.scene import text


@pytest.mark.parametrize(
    ("agent", "expected"),
    [
        (NamedPart("reviewer"), "agent reviewer"),
        (NamedPart("re\x1bviewer\n"), "agent reviewer"),
        (NamedPart(""), None),
        (NamedPart(), None),
        (None, None),
    ],
)
def test_the_agent_is_named(agent: NamedPart | None, expected: str | None) -> None:
    assert text(session.agent(Status(Payload(agent=agent)))) == expected


def test_a_long_name_is_shortened() -> None:
    segment = session.agent(Status(Payload(agent=NamedPart("reviewer-of-all-changes"))))

    assert text(segment, 0) == "agent reviewer-of-all…"
