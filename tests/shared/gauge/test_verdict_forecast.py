import msgspec
import pytest

from shared.gauge.levels import LevelRules
from shared.gauge.limit import Limit
from shared.gauge.verdict import growth_per_tool_use, verdict_on
from shared.gauge.window import Reading, WindowSource
from shared.transcript.records import Answer


def answers(*tokens: int, tool_uses: int = 1) -> list[Answer]:
    """Answers at these token counts, oldest first."""
    result = [Answer(f"msg_{n}", "model", t, 0, "", n, ("toolu",) * tool_uses) for n, t in enumerate(tokens)]
    return result[::-1]


def test_growth_is_measured_per_tool_use() -> None:
    assert growth_per_tool_use(answers(10, 20, 30, 40, 50)) == 10


def test_an_answers_growth_is_divided_by_its_tool_calls() -> None:
    assert growth_per_tool_use(answers(0, 40, 80, 120, 160, tool_uses=4)) == 10


def test_an_answer_without_tools_grew_by_one_turn() -> None:
    assert growth_per_tool_use(answers(0, 40, 80, 120, 160, tool_uses=0)) == 40


def test_growth_belongs_to_the_earlier_answers_tools() -> None:
    steps = [(0, 4), (40, 1), (50, 4), (90, 1), (100, 4)]
    grown = [Answer(f"msg_{n}", "model", t, 0, "", n, ("toolu",) * uses) for n, (t, uses) in enumerate(steps)]
    assert growth_per_tool_use(grown[::-1]) == 10


def test_one_huge_result_does_not_change_the_forecast() -> None:
    assert growth_per_tool_use(answers(10, 20, 30, 90_030, 90_040, 90_050)) == 10


def test_the_median_of_an_even_number_of_steps_is_between_two() -> None:
    assert growth_per_tool_use(answers(0, 1, 3, 6, 10)) == 2.5


@pytest.mark.parametrize("tokens", [(), (10,), (10, 20, 30, 40), (10, 10, 10, 10, 10, 10), (50, 40, 30, 20, 10)])
def test_nothing_is_predicted_from_too_few_steps_of_growth(tokens: tuple[int, ...]) -> None:
    assert growth_per_tool_use(answers(*tokens)) is None


def test_a_shrinking_window_is_no_growth() -> None:
    assert growth_per_tool_use(answers(10, 20, 30, 5, 15, 25)) == 10


def uses_left(room: int, history: list[Answer], result_bytes: int = 0) -> int | None:
    """Tool uses left when `room` tokens remain to the limit."""
    reading = Reading(50, 100_000, 200_000, "transcript", WindowSource.BRIDGE, 0)
    limit = Limit(100_000 + room, "set", is_compacted=True)
    return verdict_on(reading, limit, LevelRules(), history, result_bytes).tool_uses_left


@pytest.mark.parametrize(("room", "step", "expected"), [(100, 10, 10), (99, 10, 9), (5, 10, 0), (0, 10, None)])
def test_only_whole_tool_uses_fit(room: int, step: int, expected: int | None) -> None:
    assert uses_left(room, answers(*range(0, 5 * step, step))) == expected


def test_a_step_may_be_less_than_a_token_for_each_tool_use() -> None:
    assert uses_left(10, answers(0, 1, 2, 3, 4, tool_uses=2)) == 20


def test_the_newest_answers_output_and_the_current_result_are_pending() -> None:
    newest, *older = answers(10, 20, 30, 40, 50)
    history = [msgspec.structs.replace(newest, output=180), *older]
    assert uses_left(2_000, [newest, *older]) == 200
    assert uses_left(2_000, [newest, *older], 4_003) == 200 - 100
    assert uses_left(2_000, history) == 200 - 18
    assert uses_left(2_000, history, 4_003) == 200 - 100 - 18
    assert uses_left(1_000, history, 4_003) == 0
