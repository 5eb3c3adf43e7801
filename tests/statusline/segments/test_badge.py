from statusline.measuring.status import Status
from statusline.payload import Payload
from statusline.segments.badge import badge
from tests.statusline.scene import text


def test_without_problems_there_is_none() -> None:
    assert badge(Status(Payload())) is None


def test_each_problem_is_named_with_the_command_to_run() -> None:
    segment = badge(Status(Payload(), problems=("config", "monitor")))

    assert [text(segment, form) for form in range(3)] == [
        "!",
        "! config, monitor",
        "! config, monitor: tidegauge doctor",
    ]
