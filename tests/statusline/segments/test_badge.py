from statusline.measuring.status import Status
from statusline.payload import Payload
from statusline.segments.badge import badge
from tests.statusline.scene import text


def test_without_trouble_there_is_none() -> None:
    assert badge(Status(Payload())) is None


def test_each_trouble_is_named_and_where_to_ask() -> None:
    segment = badge(Status(Payload(), problems=("config", "monitor")))

    assert [text(segment, form) for form in range(3)] == [
        "!",
        "! config, monitor",
        "! config, monitor: tidegauge doctor",
    ]
