from hypothesis import given
from hypothesis import strategies as st

from history.reading.calls.parts import parts_of
from history.store.rows import WindowEntry
from history.store.schema import PartKind

TOKENS = st.integers(0, 300_000)
ENTRANTS = st.lists(st.builds(WindowEntry, st.sampled_from([2, 3, 4]), st.integers(0, 5_000_000)), max_size=6)


@given(st.integers(-300_000, 300_000), st.none() | TOKENS, TOKENS, ENTRANTS)
def test_parts_always_sum_to_the_growth(growth: int, output: int | None, size: int, entries: list[WindowEntry]) -> None:
    parts = parts_of(growth, output, size, entries, is_first=False)

    assert sum(part.tokens for part in parts) == growth
    assert all(part.tokens >= 0 for part in parts if part.entry.kind != PartKind.REMOVED)


@given(TOKENS, ENTRANTS)
def test_parts_of_a_first_answer_sum_to_its_whole_window(growth: int, entries: list[WindowEntry]) -> None:
    parts = parts_of(growth, 0, 0, entries, is_first=True)

    assert sum(part.tokens for part in parts) == growth
    assert all(part.tokens >= 0 for part in parts)
    assert [part.entry for part in parts if part.entry.kind != PartKind.START] == (entries if growth or entries else [])
