import pytest

from history.questions import compactions
from history.questions.compactions import Spread, spread
from tests.history.questions.stored import START, Stored


@pytest.mark.parametrize(
    ("values", "result"),
    [
        ([], Spread(0)),
        ([7], Spread(1, 7, 7, 7)),
        ([3, 1, 2], Spread(3, 2, 3, 3)),
        (list(range(1, 101)), Spread(100, 50, 99, 100)),
        (list(range(1, 202)), Spread(201, 101, 199, 201)),
    ],
)
def test_percentiles_are_by_nearest_rank(values: list[int], result: Spread) -> None:
    assert spread(values) == result


def test_compactions_are_counted_by_trigger_and_known_summaries_against_their_room(stored: Stored) -> None:
    session = stored.conversation("s")
    for trigger, summary in (("manual", 5_000), ("auto", 3_000), ("auto", None), ("auto", 21_000)):
        session.compaction(trigger=trigger, summary=summary)

    answer = compactions.figures(stored.asked(), 0)

    assert (answer.count, answer.triggers) == (4, {"auto": 3, "manual": 1})
    assert answer.summary == Spread(3, 5_000, 21_000, 21_000)
    assert (answer.room, answer.over_room) == (20_000, 1)
    shown = compactions.presentation(answer)
    assert shown.tables[0].rows == [("auto", 3), ("manual", 1)]
    assert shown.facts[1] == "Summaries (estimated): p50 5k, p99 21k, max 21k tokens; 1 of 3 over 20,000."


def test_earlier_compactions_do_not_count(stored: Stored) -> None:
    session = stored.conversation("s")
    session.call(session.tool(150_000))
    session.compaction()

    answer = compactions.figures(stored.asked(), START + 61)

    assert (answer.count, answer.triggers, answer.summary) == (0, {}, Spread(0))
