import pytest

from statusline.measuring.status import Status
from statusline.payload import Effort, Model, Payload
from statusline.segments import session
from tests.statusline.scene import text


@pytest.mark.parametrize(
    ("model", "name"),
    [
        (None, "Claude"),
        (Model(), "Claude"),
        (Model("", " "), "Claude"),
        (Model("claude-opus-4-6[1m]", None), "claude-opus-4-6[1m]"),
        (Model("claude-opus-4-6", "Opus 4.6"), "Opus 4.6"),
        (Model("m", "\x1b[2JOpus\n"), "Opus"),
    ],
)
def test_the_model_has_a_name(model: Model | None, name: str) -> None:
    assert text(session.model(Status(Payload(model=model)))) == name


@pytest.mark.parametrize(
    ("name", "short"),
    [("Opus 4.6 (1M context)", "Opus 4.6"), ("us.anthropic.claude-opus-4-6-v1:0", "us.anthropic.cl…")],
)
def test_a_long_name_is_shortened(name: str, short: str) -> None:
    segment = session.model(Status(Payload(model=Model("m", name))))

    assert (text(segment, 0), text(segment, 1)) == (short, name)


def test_the_effort_goes_first_where_room_is_short() -> None:
    segment = session.model(Status(Payload(model=Model("m", "Opus 4.6"), effort=Effort("high"))))

    assert (text(segment), text(segment, 0)) == ("Opus 4.6 high", "Opus 4.6")
