import pytest

from history.questions import compactions
from history.questions.compactions import Spread, spread
from tests.history.questions.stored import START, Stored


@pytest.mark.parametrize(
    ("values", "result"),
    [
        ([], Spread(0)),
        ([None], Spread(0)),
        ([7], Spread(1, 7, 7, 7)),
        ([3, None, 1, 2], Spread(3, 2, 3, 3)),
        (list(range(1, 101)), Spread(100, 50, 99, 100)),
        (list(range(1, 202)), Spread(201, 101, 199, 201)),
    ],
)
def test_percentiles_are_by_nearest_rank(values: list[int | None], result: Spread) -> None:
    assert spread(values) == result


def test_compactions_are_counted_by_trigger_with_summaries_and_seconds(stored: Stored) -> None:
    session = stored.conversation("s")
    session.call(session.tool(150_000))
    session.compaction(summary=3_000, milliseconds=90_400)
    session.call(session.tool(160_000))
    session.compaction(summary=21_000, milliseconds=None)
    other = stored.conversation("t")
    other.call(other.tool(40_000))
    other.compaction(trigger="manual", summary=5_000, milliseconds=10_000)

    answer = compactions.figures(stored.asked(), 0)

    assert (answer.count, answer.sessions) == (3, 2)
    assert answer.summary == Spread(3, 5_000, 21_000, 21_000)
    assert (answer.room, answer.over_room) == (20_000, 1)
    assert (answer.seconds, answer.timed) == (100, 2)
    auto, manual = answer.triggers
    assert (auto.trigger, auto.count, auto.seconds) == ("auto", 2, 90)
    assert auto.before == Spread(2, 150_000, 160_000, 160_000)
    assert (manual.trigger, manual.count) == ("manual", 1)


def test_what_was_compacted_before_then_does_not_count(stored: Stored) -> None:
    session = stored.conversation("s")
    session.call(session.tool(150_000))
    session.compaction()

    answer = compactions.figures(stored.asked(), START + 61)

    assert (answer.count, answer.summary) == (0, Spread(0))
