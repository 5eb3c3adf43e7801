from hypothesis import given
from hypothesis import strategies as st

from history.parts import parts_of
from history.rows import Entrant
from history.schema import PartKind

TOKENS = st.integers(0, 300_000)
ENTRANTS = st.lists(st.builds(Entrant, st.sampled_from([2, 3, 4]), st.integers(0, 5_000_000)), max_size=6)


@given(st.integers(-300_000, 300_000), st.none() | TOKENS, TOKENS, ENTRANTS)
def test_parts_sum_to_the_growth_whatever_entered(
    growth: int, output: int | None, size: int, entrants: list[Entrant]
) -> None:
    parts = parts_of(growth, output, size, entrants, is_first=False)

    assert sum(part.tokens for part in parts) == growth
    assert all(part.tokens >= 0 for part in parts if part.entrant.kind != PartKind.REMOVED)


@given(TOKENS, ENTRANTS)
def test_parts_of_a_first_answer_sum_to_all_that_it_holds(growth: int, entrants: list[Entrant]) -> None:
    parts = parts_of(growth, 0, 0, entrants, is_first=True)

    assert sum(part.tokens for part in parts) == growth
    assert all(part.tokens >= 0 for part in parts)
    assert [part.entrant for part in parts if part.entrant.kind != PartKind.START] == (
        entrants if growth or entrants else []
    )
