import pytest

from shared.client.rate_limits import RateLimit, RateLimits, RateSample
from statusline.measuring.session_samples import SessionSamples
from statusline.measuring.status import Status
from statusline.payload import Payload
from statusline.segments import spending
from tests.statusline.scene import NOW, text


def form_text(five: RateLimit | None, seven: RateLimit | None = None, form: int = -1) -> str | None:
    return text(spending.limits(Status(Payload(rate_limits=RateLimits(five, seven)), NOW)), form)


def test_both_windows_are_shown_with_the_time_to_their_reset() -> None:
    both = RateLimit(42.4, NOW + 7_860), RateLimit(12, NOW + 273_600)

    assert form_text(*both) == "5h 42% ↻2h11m  7d 12% ↻3d4h"
    assert form_text(*both, form=0) == "5h 42%  7d 12%"


@pytest.mark.parametrize(
    ("used", "role"),
    [(69.4, "text"), (69.5, "warning"), (89.4, "warning"), (89.5, "critical"), (120, "critical")],
)
def test_high_use_is_marked_by_its_colour_alone(used: float, role: str) -> None:
    segment = spending.limits(Status(Payload(rate_limits=RateLimits(RateLimit(used))), NOW))

    assert text(segment) == f"5h {int(used + 0.5)}%"
    assert segment
    assert segment[-1].parts[1].role == role


def foreseen(limit: RateLimit, *samples: RateSample) -> str | None:
    status = Status(Payload(rate_limits=RateLimits(limit)), NOW, samples=SessionSamples({"5h": samples}))
    return text(spending.limits(status))


def test_a_limit_used_up_before_its_reset_says_when() -> None:
    reset = NOW + 7_200

    assert foreseen(RateLimit(80, reset), RateSample(NOW - 3600, 60, reset)) == "5h 80% full in 1h00m ↻2h00m"
    assert foreseen(RateLimit(80, reset), RateSample(NOW - 3600, 77, reset)) == "5h 80% ↻2h00m"
    assert foreseen(RateLimit(80, reset)) == "5h 80% ↻2h00m"
    assert foreseen(RateLimit(40, reset), RateSample(NOW - 3600, 1, reset)) == "5h 40% ↻2h00m"


def test_a_marked_limit_is_urgent() -> None:
    calm, urgent = (spending.limits(Status(Payload(rate_limits=RateLimits(RateLimit(used))), NOW)) for used in (69, 70))

    assert calm
    assert urgent
    assert (calm[-1].importance, urgent[-1].importance) == (spending.LIMITS_IMPORTANCE, spending.LIMITS_URGENT)


def test_one_window_stands_alone() -> None:
    assert form_text(None, RateLimit(12)) == "7d 12%"


@pytest.mark.parametrize("limit", [None, RateLimit(), RateLimit(None, NOW + 5), RateLimit(42, NOW), RateLimit(42, 1)])
def test_unknown_and_expired_numbers_are_not_shown(limit: RateLimit | None) -> None:
    assert form_text(limit) is None


def test_without_limits_nothing_is_said() -> None:
    assert spending.limits(Status(Payload(), NOW)) is None
