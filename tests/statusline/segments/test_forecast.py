from shared.config import Config
from shared.levels import Level
from statusline.payload import Payload
from statusline.segments.forecast import IMPORTANCE, MOST, URGENT, render
from statusline.status import Status
from tests.statusline.scene import text, with_tokens


def said(uses: int | None, form: int = -1) -> str | None:
    return text(render(with_tokens(91_000, tool_uses_left=uses), Config()), form)


def test_the_tool_uses_to_the_limit_are_said() -> None:
    assert [said(uses) for uses in (9, 1, 0)] == ["~9 tool uses left", "~1 tool use left", "~0 tool uses left"]


def test_what_is_unknown_is_not_foretold() -> None:
    assert said(None) is None
    assert render(Status(Payload()), Config()) is None


def test_what_is_far_away_is_not_counted() -> None:
    assert said(MOST) is not None
    assert said(MOST + 1) is None


def test_it_gets_urgent_with_the_first_level() -> None:
    calm = render(with_tokens(91_000, tool_uses_left=9), Config())
    urgent = render(with_tokens(134_000, tool_uses_left=9, level=Level.WARNING), Config())

    assert calm
    assert urgent
    assert (calm[-1].importance, urgent[-1].importance) == (IMPORTANCE, URGENT)


def test_the_short_form_says_the_same() -> None:
    assert said(9, form=0) == "~9 uses left"
    assert said(1, form=0) == "~1 use left"
