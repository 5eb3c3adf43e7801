import itertools
from typing import Any

import msgspec
import pytest

from shared.client.rate_limits import (
    MOST_CHANGES,
    MOST_SAMPLES,
    REPORT_FROM,
    REPORT_STEP,
    RateLimit,
    RateLimits,
    RateSample,
    RateSamples,
    changed,
    full_at,
    limits_of,
    sampled,
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
def test_a_limit_that_cannot_be_read_costs_itself_alone(block: Any, expected: RateLimits) -> None:
    assert limits_of(block) == expected


def test_a_pace_that_ends_before_the_reset_is_foretold() -> None:
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
def test_without_enough_to_go_by_nothing_is_foretold(limit: RateLimit, samples: list[RateSample]) -> None:
    assert full_at("5h", limit, samples, NOW) is None


def test_the_agent_is_told_from_ninety_percent_on_and_again_after_five_points() -> None:
    assert (REPORT_FROM, REPORT_STEP) == (90, 5)


def test_a_sample_is_written_without_its_names() -> None:
    """As the version before wrote it: hundreds of them are kept."""
    assert msgspec.json.encode(RateSample(5, 92.5, 7)) == b"[5,92.5,7]"


def test_samples_are_few_and_apart() -> None:
    samples: RateSamples = {}
    for minute in range(240):
        samples = sampled(samples, RateLimits(RateLimit(minute / 4, NOW + 5 * 3600)), NOW + 60 * minute)

    times = [sample.sampled_at for sample in samples["5h"]]
    assert len(times) == MOST_SAMPLES == 6
    assert min(later - earlier for earlier, later in itertools.pairwise(times)) == 600


def test_a_reset_begins_the_samples_again() -> None:
    before: RateSamples = {"5h": (five(70, NOW - 3600, NOW - 60),), "7d": (five(5),)}

    assert sampled(before, RateLimits(RateLimit(3, RESET)), NOW) == {"5h": (five(3),)}


def test_a_redraw_of_the_same_number_is_no_sample() -> None:
    before: RateSamples = {"5h": (five(70, NOW - 3600),)}

    assert sampled(before, RateLimits(RateLimit(70, RESET)), NOW) == before


def test_each_change_is_kept_at_most_one_a_minute() -> None:
    samples: RateSamples = {}
    for second in range(0, 600, 10):
        samples = changed(samples, RateLimits(RateLimit(40 + second // 100, RESET), RateLimit(7, RESET)), NOW + second)

    assert [(sample.sampled_at - NOW, sample.used) for sample in samples["5h"]] == [
        (0, 40), (100, 41), (200, 42), (300, 43), (400, 44), (500, 45)
    ]  # fmt: skip
    assert [sample.used for sample in samples["7d"]] == [7]
    sooner = changed(samples, RateLimits(RateLimit(60, RESET)), NOW + 501)
    assert sooner == samples
    assert changed(samples, RateLimits(RateLimit(60, RESET)), NOW + 560)["5h"][-1].used == 60


@pytest.mark.parametrize(("used", "seconds", "is_foretold"), [(70, 600, True), (88, 1800, True), (88.1, 1800, False)])
def test_ten_minutes_and_two_points_are_just_enough(used: float, seconds: int, *, is_foretold: bool) -> None:
    samples = full_at("5h", RateLimit(90, NOW + 5 * 3600), [five(used, NOW - seconds, NOW + 5 * 3600)], NOW)
    assert (samples is not None) is is_foretold


@pytest.mark.parametrize(("seconds", "is_foretold"), [(20_160, True), (20_159, False)])
def test_of_seven_days_a_thirtieth_must_have_been_seen(seconds: int, *, is_foretold: bool) -> None:
    reset = NOW + 7 * 24 * 3600
    samples = full_at("7d", RateLimit(90, reset), [five(70, NOW - seconds, reset)], NOW)
    assert (samples is not None) is is_foretold


def test_a_limit_that_is_full_just_when_it_is_reset_is_not_foretold() -> None:
    assert full_at("5h", RateLimit(90, NOW + 1800), [five(70, NOW - 3600, NOW + 1800)], NOW) is None


@pytest.mark.parametrize(("seconds", "is_same"), [(120, True), (-120, True), (121, False), (-121, False)])
def test_a_reset_that_moves_by_two_minutes_is_the_same_one(seconds: int, *, is_same: bool) -> None:
    before: RateSamples = {"5h": (five(70, NOW - 3600, RESET + seconds),)}
    assert len(sampled(before, RateLimits(RateLimit(80, RESET)), NOW)["5h"]) == (2 if is_same else 1)


def test_at_its_reset_a_limits_number_no_longer_holds() -> None:
    limits = RateLimits(RateLimit(90, RESET))
    assert limits.live(RESET - 1)
    assert not limits.live(RESET)
    assert RateLimits(RateLimit(90)).live(RESET)
    assert not RateLimits(RateLimit(None, RESET)).live(NOW)


@pytest.mark.parametrize("limit", [RateLimit(90), RateLimit(None, RESET)])
def test_a_limit_without_its_number_or_its_reset_has_no_samples(limit: RateLimit) -> None:
    assert sampled({}, RateLimits(limit, RateLimit(7, RESET)), NOW) == {"7d": (RateSample(NOW, 7, RESET),)}


@pytest.mark.parametrize(("used", "expected"), [(92.4, 92), (92.5, 93), (0, 0), (None, 0)])
def test_what_is_used_is_shown_in_whole_percent(used: float | None, expected: int) -> None:
    assert RateLimit(used, RESET).used == expected


def test_a_change_is_what_the_client_said() -> None:
    samples = changed({}, RateLimits(RateLimit(0, RESET), RateLimit(7)), NOW)
    assert samples == {"5h": (RateSample(NOW, 0, RESET),), "7d": (RateSample(NOW, 7, 0),)}


def test_less_than_before_begins_the_samples_again() -> None:
    assert sampled({"5h": (five(0.5),)}, RateLimits(RateLimit(0, RESET)), NOW + 3600) == {"5h": (five(0, NOW + 3600),)}


def test_a_change_counts_a_minute_after_the_one_before_it() -> None:
    before: RateSamples = {"5h": (five(40),)}
    for seconds, count in ((59, 1), (60, 2)):
        assert len(changed(before, RateLimits(RateLimit(41, RESET)), NOW + seconds)["5h"]) == count


def test_the_newest_changes_are_kept() -> None:
    before: RateSamples = {"5h": tuple(five(number / 10, NOW + 60 * number) for number in range(MOST_CHANGES))}
    samples = changed(before, RateLimits(RateLimit(99, RESET + 3600 * 5)), NOW + 60 * MOST_CHANGES)["5h"]
    assert len(samples) == MOST_CHANGES == 200
    assert (samples[0].used, samples[-1].used) == (0.1, 99)
