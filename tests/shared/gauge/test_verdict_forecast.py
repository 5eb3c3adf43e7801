import pytest

from shared.gauge.verdict import growth_per_tool_use, pending_tokens, tool_uses_left
from shared.transcript.records import Answer


def answers(*tokens: int, tool_uses: int = 1) -> list[Answer]:
    """Answers at these token counts, given oldest first as they happen."""
    result = [Answer(f"msg_{n}", "model", t, 0, "", n, ("toolu",) * tool_uses) for n, t in enumerate(tokens)]
    return result[::-1]


def test_growth_is_that_of_one_tool_use() -> None:
    assert growth_per_tool_use(answers(10, 20, 30, 40, 50)) == 10


def test_an_answer_that_called_several_tools_grew_by_all_of_them() -> None:
    assert growth_per_tool_use(answers(0, 40, 80, 120, 160, tool_uses=4)) == 10


def test_an_answer_without_tools_grew_by_one_turn() -> None:
    assert growth_per_tool_use(answers(0, 40, 80, 120, 160, tool_uses=0)) == 40


def test_the_growth_is_of_the_tools_that_the_earlier_answer_called() -> None:
    steps = [(0, 4), (40, 1), (50, 4), (90, 1), (100, 4)]
    grown = [Answer(f"msg_{n}", "model", t, 0, "", n, ("toolu",) * uses) for n, (t, uses) in enumerate(steps)]
    assert growth_per_tool_use(grown[::-1]) == 10


def test_one_huge_result_does_not_count() -> None:
    assert growth_per_tool_use(answers(10, 20, 30, 90_030, 90_040, 90_050)) == 10


def test_an_even_number_of_steps_has_its_middle_between_two() -> None:
    assert growth_per_tool_use(answers(0, 1, 3, 6, 10)) == 2.5


@pytest.mark.parametrize("tokens", [(), (10,), (10, 20, 30, 40), (10, 10, 10, 10, 10, 10), (50, 40, 30, 20, 10)])
def test_nothing_is_predicted_from_too_few_steps_of_growth(tokens: tuple[int, ...]) -> None:
    assert growth_per_tool_use(answers(*tokens)) is None


def test_a_shrinking_window_is_no_growth() -> None:
    assert growth_per_tool_use(answers(10, 20, 30, 5, 15, 25)) == 10


@pytest.mark.parametrize(
    ("room", "growth", "expected"), [(100, 10, 10), (99, 10, 9), (0, 10, 0), (-50, 10, 0), (10, 0.5, 20)]
)
def test_only_whole_tool_uses_fit(room: int, growth: float, expected: int) -> None:
    assert tool_uses_left(room, growth) == expected


def test_what_is_pending_is_the_newest_answers_output_and_the_result_in_hand() -> None:
    newest = Answer("msg_2", "model", 1_000, 180, "", 2, ("toolu_1",))
    assert pending_tokens([newest, *answers(10)], 4_003) == 180 + 1_000
    assert pending_tokens([], 4_003) == 1_000
    assert pending_tokens([newest]) == 180
