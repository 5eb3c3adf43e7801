from shared.config import Config
from statusline.payload import Payload
from statusline.segments.badge import render
from statusline.status import Status
from tests.statusline.scene import text


def test_without_trouble_there_is_none() -> None:
    assert render(Status(Payload()), Config()) is None


def test_each_trouble_is_named_and_where_to_ask() -> None:
    segment = render(Status(Payload(), problems=("config", "monitor")), Config())

    assert [text(segment, form) for form in range(3)] == [
        "!",
        "! config, monitor",
        "! config, monitor: tidegauge doctor",
    ]
