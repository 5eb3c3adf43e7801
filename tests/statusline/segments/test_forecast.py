import pytest

from shared.config import Config
from shared.levels import Level, level_of
from shared.limit import Limit
from statusline.payload import Payload
from statusline.segments.forecast import IMPORTANCE, URGENT, render
from statusline.status import Status
from tests.statusline.scene import text, with_tokens


def said(tokens: int, growth: float | None, compaction_at: int | None = None, form: int = -1) -> str | None:
    limit = Limit(compaction_at, "catalogue", is_compacted=True) if compaction_at else None
    status = with_tokens(tokens, growth=growth, limit=limit)
    assert status.reading
    level = level_of(status.reading, Config().levels, compaction_at)
    status = with_tokens(tokens, growth=growth, limit=limit, level=level)
    return text(render(status, Config()), form)


@pytest.mark.parametrize(
    ("tokens", "growth", "forecast"),
    [
        (91_000, 4000, "~9 tool uses to WARNING"),
        (128_000, 4000, "~1 tool use to WARNING"),
        (134_000, 4000, "~3 tool uses to CRITICAL"),
        (158_000, 4000, "~2 tool uses to EXHAUSTED"),
        (172_000, 4000, "~7 tool uses to full"),
        (199_999, 4000, "~1 tool use to full"),
    ],
)
def test_tool_uses_to_the_next_level(tokens: int, growth: float, forecast: str) -> None:
    assert said(tokens, growth) == forecast


def test_an_expected_compaction_is_the_end() -> None:
    assert said(163_000, 1000, compaction_at=167_000) == "~4 tool uses to compaction"


def test_without_samples_or_numbers_nothing_is_foretold() -> None:
    assert said(91_000, None) is None
    assert render(Status(Payload(), growth=4000.0), Config()) is None


def test_what_is_far_away_is_not_counted() -> None:
    assert said(1000, 10) is None


def test_it_gets_urgent_with_the_first_level() -> None:
    calm = render(with_tokens(91_000, growth=4000.0), Config())
    urgent = render(with_tokens(134_000, growth=4000.0, level=Level.WARNING), Config())

    assert calm
    assert urgent
    assert (calm[-1].importance, urgent[-1].importance) == (IMPORTANCE, URGENT)


def test_the_short_form_says_the_same() -> None:
    assert said(91_000, 4000, form=0) == "~9 uses to WARNING"
    assert said(128_000, 4000, form=0) == "~1 use to WARNING"
