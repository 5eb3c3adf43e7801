from history.questions import limits
from tests.history.questions.stored import START, Stored

HOUR = 3_600


def test_each_limit_has_its_last_value_its_peak_and_its_windows(stored: Stored) -> None:
    for at, used, reset in [(0, 20, 5), (1, 96.4, 5), (6, 3, 10), (7, 8, 10)]:
        stored.rate_limit("5h", START + at * HOUR, used, START + reset * HOUR + at % 3)
    stored.rate_limit("7d", START, 11, None)

    five_hours, seven_days = limits.figures(stored.asked(), 0)

    assert (five_hours.limit, five_hours.last, five_hours.last_at) == ("5h", 8, START + 7 * HOUR)
    assert (five_hours.peak, five_hours.peak_at) == (96.4, START + HOUR)
    assert [(window.peak, len(window.samples)) for window in five_hours.windows] == [(96.4, 2), (8, 2)]
    assert [window.resets_at for window in seven_days.windows] == [None]


def test_a_used_up_limit_stops_the_work_until_its_reset(stored: Stored) -> None:
    reset = START - START % 600 + 5 * HOUR
    stored.rate_limit("5h", reset - 2 * HOUR, 100, reset)
    stored.rate_limit("5h", reset - HOUR, 100, reset)

    (window,) = limits.figures(stored.asked(), 0)[0].windows

    assert window.stopped_seconds == 2 * HOUR


def test_earlier_samples_do_not_count(stored: Stored) -> None:
    stored.rate_limit("5h", START, 89.4, START + HOUR)

    assert limits.figures(stored.asked(), START + 1) == []
