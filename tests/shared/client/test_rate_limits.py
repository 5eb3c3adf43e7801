import itertools
from typing import Any

import msgspec
import pytest

from shared.client.rate_limits import (
    MOST_SAMPLES,
    REPORT_FROM,
    REPORT_STEP,
    RateLimit,
    RateLimits,
    RateSample,
    RateSamples,
    full_at,
    limits_of,
    updated_samples,
)

NOW = 1_795_272_100.0
RESET = NOW + 2 * 3600


def five(used: float, at: float = NOW, reset: float = RESET) -> RateSample:
    return RateSample(at, used, reset)


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        ({"five_hour": {"used_percentage": 92, "resets_at": 5}}, RateLimits(RateLimit(92, 5))),
        ({"five_hour": "?", "seven_day": {"used_percentage": 3.5}}, RateLimits(None, RateLimit(3.5))),
        (
            {"five_hour": {"used_percentage": -1, "resets_at": 5}, "seven_day": {"used_percentage": []}},
            RateLimits(RateLimit(None, 5), RateLimit()),
        ),
        ({"five_hour": {"used_percentage": 0, "resets_at": 0}}, RateLimits(RateLimit(0, 0))),
        (None, RateLimits()),
        ([], RateLimits()),
    ],
)
def test_an_unreadable_limit_is_lost_alone(block: Any, expected: RateLimits) -> None:
    assert limits_of(block) == expected


def test_a_limit_reached_before_its_reset_is_forecast() -> None:
    # 20 points in an hour, 10 left: half an hour.
    assert full_at("5h", RateLimit(90, RESET), [five(70, NOW - 3600)], NOW) == NOW + 1800
    assert full_at("7d", RateLimit(90, RESET), [five(70, NOW - 8 * 3600)], NOW + 0) is None
    assert full_at("7d", RateLimit(90, NOW + 90_000), [five(70, NOW - 36_000, NOW + 90_000)], NOW) == NOW + 18_000
    assert full_at("5h", RateLimit(100, RESET), [five(70, NOW - 3600)], NOW) == NOW


@pytest.mark.parametrize(
    ("limit", "samples"),
    [
        (RateLimit(90, RESET), []),
        (RateLimit(90, RESET), [five(70, NOW - 599)]),
        (RateLimit(90, RESET), [five(88.5, NOW - 3600)]),
        (RateLimit(90, RESET), [five(95, NOW - 3600)]),
        (RateLimit(90, RESET), [five(70, NOW - 3600, RESET - 5 * 3600)]),
        (RateLimit(90, RESET), [five(70, NOW + 3600)]),
        (RateLimit(60, RESET), [five(50, NOW - 3600)]),
        (RateLimit(90), [five(70, NOW - 3600)]),
        (RateLimit(None, RESET), [five(70, NOW - 3600)]),
    ],
    ids=["none", "too-young", "too-little", "fallen", "earlier-run", "clock", "resets-first", "no-reset", "unknown"],
)
def test_without_enough_samples_there_is_no_forecast(limit: RateLimit, samples: list[RateSample]) -> None:
    assert full_at("5h", limit, samples, NOW) is None


def test_the_agent_is_told_from_ninety_percent_and_every_five_points() -> None:
    assert (REPORT_FROM, REPORT_STEP) == (90, 5)


def test_a_sample_is_written_without_its_names() -> None:
    """The version before wrote it like this: hundreds of samples are kept."""
    assert msgspec.json.encode(RateSample(5, 92.5, 7)) == b"[5,92.5,7]"


def test_samples_are_spaced_and_the_newest_are_kept() -> None:
    samples: RateSamples = {}
    for minute in range(700):
        samples = updated_samples(samples, RateLimits(RateLimit(minute / 8, NOW + 60 * 700)), NOW + 60 * minute)

    times = [sample.sampled_at for sample in samples["5h"]]
    assert len(times) == MOST_SAMPLES == 60
    assert {later - earlier for earlier, later in itertools.pairwise(times)} == {600}
    assert times[-1] == NOW + 60 * 690


def test_the_newest_six_samples_determine_the_pace() -> None:
    slow = [five(10 + number, NOW - 7200 + 600 * number) for number in range(6)]
    fast = [five(20 + 4 * number, NOW - 3600 + 600 * number) for number in range(6)]
    now = NOW + 600
    assert full_at("5h", RateLimit(60, RESET), slow + fast, now) == full_at("5h", RateLimit(60, RESET), fast, now)
    assert full_at("5h", RateLimit(60, RESET), fast, now) == now + 40 * 4200 / 40


def test_samples_from_before_a_reset_stay_but_do_not_count_for_the_pace() -> None:
    old = five(70, NOW - 3600, NOW - 60)
    before: RateSamples = {"5h": (old,), "7d": (five(5),)}

    samples = updated_samples(before, RateLimits(RateLimit(3, RESET)), NOW)
    assert samples == {"5h": (old, five(3)), "7d": (five(5),)}
    assert full_at("5h", RateLimit(90, RESET), samples["5h"], NOW + 1200) == full_at(
        "5h", RateLimit(90, RESET), [five(3)], NOW + 1200
    )


def test_a_redraw_of_the_same_number_adds_no_sample() -> None:
    before: RateSamples = {"5h": (five(70, NOW - 3600),)}

    assert updated_samples(before, RateLimits(RateLimit(70, RESET)), NOW) == before


@pytest.mark.parametrize(("used", "seconds", "is_foretold"), [(70, 600, True), (88, 1800, True), (88.1, 1800, False)])
def test_ten_minutes_and_two_points_are_just_enough(used: float, seconds: int, *, is_foretold: bool) -> None:
    samples = full_at("5h", RateLimit(90, NOW + 5 * 3600), [five(used, NOW - seconds, NOW + 5 * 3600)], NOW)
    assert (samples is not None) is is_foretold


@pytest.mark.parametrize(("seconds", "is_foretold"), [(20_160, True), (20_159, False)])
def test_a_thirtieth_of_seven_days_must_have_been_seen(seconds: int, *, is_foretold: bool) -> None:
    reset = NOW + 7 * 24 * 3600
    samples = full_at("7d", RateLimit(90, reset), [five(70, NOW - seconds, reset)], NOW)
    assert (samples is not None) is is_foretold


def test_a_limit_full_exactly_at_its_reset_is_not_forecast() -> None:
    assert full_at("5h", RateLimit(90, NOW + 1800), [five(70, NOW - 3600, NOW + 1800)], NOW) is None


@pytest.mark.parametrize(("seconds", "is_same"), [(120, True), (-120, True), (121, False), (-121, False)])
def test_a_reset_moved_by_two_minutes_is_the_same(seconds: int, *, is_same: bool) -> None:
    before: RateSamples = {"5h": (five(70, NOW - 60, RESET + seconds),)}
    assert len(updated_samples(before, RateLimits(RateLimit(80, RESET)), NOW)["5h"]) == (1 if is_same else 2)


def test_a_limits_number_expires_at_its_reset() -> None:
    limits = RateLimits(RateLimit(90, RESET))
    assert limits.live(RESET - 1)
    assert not limits.live(RESET)
    assert RateLimits(RateLimit(90)).live(RESET)
    assert not RateLimits(RateLimit(None, RESET)).live(NOW)


@pytest.mark.parametrize("limit", [RateLimit(90), RateLimit(None, RESET)])
def test_a_limit_without_its_number_or_its_reset_has_no_samples(limit: RateLimit) -> None:
    assert updated_samples({}, RateLimits(limit, RateLimit(7, RESET)), NOW) == {"7d": (RateSample(NOW, 7, RESET),)}


@pytest.mark.parametrize(("used", "expected"), [(92.4, 92), (92.5, 93), (0, 0), (None, 0)])
def test_usage_is_shown_in_whole_percent(used: float | None, expected: int) -> None:
    assert RateLimit(used, RESET).used == expected


def test_a_lower_number_belongs_to_another_run() -> None:
    assert updated_samples({"5h": (five(0.5),)}, RateLimits(RateLimit(0, RESET)), NOW + 60) == {
        "5h": (five(0.5), five(0, NOW + 60))
    }
