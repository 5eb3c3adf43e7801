import pytest

from shared.forecast import IMAGE_TOKENS, TURN_TOKENS, largest_turn
from shared.reading import Usage
from shared.transcript import Answer


def answers(*tokens: int) -> list[Answer]:
    """Answers with these tokens in the window, given oldest first."""
    made = [Answer(f"m{n}", "model", Usage(size, 0, 0), "", n, 1) for n, size in enumerate(tokens)]
    return made[::-1]


@pytest.mark.parametrize("tokens", [(), (10_000,), (10_000, 20_000), (10_000, 20_000, 30_000)])
def test_after_few_turns_nothing_is_known(tokens: tuple[int, ...]) -> None:
    assert largest_turn(answers(*tokens)) is None


def test_small_turns_may_be_followed_by_the_largest_result_of_a_tool() -> None:
    assert largest_turn(answers(10_000, 11_000, 12_000, 13_000)) == TURN_TOKENS == 25_000


def test_an_image_takes_at_most_1600_tokens() -> None:
    assert IMAGE_TOKENS == 1_600


def test_a_large_turn_may_be_followed_by_one_twice_as_large() -> None:
    assert largest_turn(answers(10_000, 50_000, 52_000, 53_000)) == 80_000


def test_a_shrinking_window_is_no_turn() -> None:
    assert largest_turn(answers(90_000, 50_000, 40_000, 30_000)) == TURN_TOKENS
