import pytest

from shared.config import Config
from statusline.payload import Payload, RateLimit, RateLimits
from statusline.segments.limits import IMPORTANCE, URGENT, render
from statusline.status import Status
from tests.statusline.scene import NOW, text


def said(five: RateLimit | None, seven: RateLimit | None = None, form: int = -1) -> str | None:
    return text(render(Status(Payload(rate_limits=RateLimits(five, seven)), NOW), Config()), form)


def test_both_windows_are_shown_with_the_time_to_their_reset() -> None:
    both = RateLimit(42.4, NOW + 7_860), RateLimit(12, NOW + 273_600)

    assert said(*both) == "5h 42% ↻2h11m  7d 12% ↻3d4h"
    assert said(*both, form=0) == "5h 42%  7d 12%"


@pytest.mark.parametrize(
    ("used", "mark"),
    [
        (69.4, ""),
        (69.5, " [WARNING]"),
        (70, " [WARNING]"),
        (89, " [WARNING]"),
        (90, " [CRITICAL]"),
        (120, " [CRITICAL]"),
    ],
)
def test_high_use_is_marked_by_a_word(used: float, mark: str) -> None:
    assert said(RateLimit(used)) == f"5h {int(used + 0.5)}%{mark}"


def test_a_marked_limit_is_urgent() -> None:
    calm, urgent = (
        render(Status(Payload(rate_limits=RateLimits(RateLimit(used))), NOW), Config()) for used in (69, 70)
    )

    assert calm
    assert urgent
    assert (calm[-1].importance, urgent[-1].importance) == (IMPORTANCE, URGENT)


def test_one_window_stands_alone() -> None:
    assert said(None, RateLimit(12)) == "7d 12%"


@pytest.mark.parametrize("limit", [None, RateLimit(), RateLimit(None, NOW + 5), RateLimit(42, NOW), RateLimit(42, 1)])
def test_unknown_and_expired_numbers_are_not_shown(limit: RateLimit | None) -> None:
    assert said(limit) is None


def test_without_limits_nothing_is_said() -> None:
    assert render(Status(Payload(), NOW), Config()) is None
