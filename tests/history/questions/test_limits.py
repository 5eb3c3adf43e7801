from history.questions import limits
from history.schema import RebuildCause
from tests.history.questions.stored import START, Stored

HOUR = 3_600


def test_each_limit_has_its_last_value_its_peak_and_its_windows(stored: Stored) -> None:
    for at, used, reset in [(0, 20, 5), (1, 96.4, 5), (6, 3, 10), (7, 8, 10)]:
        stored.rate_limit("5h", START + at * HOUR, used, START + reset * HOUR + at % 3)
    stored.rate_limit("7d", START, 11, None)

    five_hours, seven_days = limits.figures(stored.asked(), 0).limits

    assert (five_hours.limit, five_hours.last, five_hours.last_at) == ("5h", 8, START + 7 * HOUR)
    assert (five_hours.peak, five_hours.peak_at) == (96.4, START + HOUR)
    assert [(window.peak, len(window.samples)) for window in five_hours.windows] == [(96.4, 2), (8, 2)]
    assert [window.resets_at for window in seven_days.windows] == [None]


def test_a_limit_that_is_used_up_stops_the_work_until_its_reset(stored: Stored) -> None:
    reset = START - START % 600 + 5 * HOUR
    stored.rate_limit("5h", reset - 2 * HOUR, 100, reset)
    stored.rate_limit("5h", reset - HOUR, 100, reset)

    (window,) = limits.figures(stored.asked(), 0).limits[0].windows

    assert window.stopped_seconds == 2 * HOUR


def test_the_advice_is_what_the_cache_cost_in_the_windows_that_were_nearly_used_up(stored: Stored) -> None:
    session = stored.conversation("s", at=START)
    session.call(session.tool(1_000))
    session.call(cache_creation=500, rebuild=RebuildCause.EXPIRED, rebuilt=1_400)
    session.call(cache_creation=300, rebuild=RebuildCause.COMPACTION, rebuilt=300)
    before = stored.conversation("t", at=START - 9 * HOUR)
    before.call(cache_creation=700, rebuild=RebuildCause.EXPIRED, rebuilt=700)
    stored.rate_limit("5h", START, 92, START + 4 * HOUR)

    advice = limits.figures(stored.asked(), 0).advice

    assert (advice.saved, advice.of, advice.unit) == (400, 1_800, "tokens written to the cache")


def test_while_no_limit_is_near_there_is_nothing_to_change(stored: Stored) -> None:
    assert limits.figures(stored.asked(), 0).advice.line == "Nothing to change: no limits known."
    stored.rate_limit("5h", START, 89.4, START + HOUR)

    answer = limits.figures(stored.asked(), 0)

    assert answer.advice.line == "Nothing to change: no limit reached 90%, the highest was 89%."
    assert limits.figures(stored.asked(), START + 1).limits == []
