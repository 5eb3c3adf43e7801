from hypothesis import given
from hypothesis import strategies as some

from statusline.segment import Form, Part, Segment
from statusline.terminal.layout import fit
from statusline.terminal.width import columns


def says(*forms: tuple[int, str]) -> Segment:
    return tuple(Form(importance, (Part(text),)) for importance, text in forms)


METER = says((100, "71%"), (94, "#######--- 71%"))
MODEL = says((96, "Opus"), (40, "Opus high"))
COST = says((42, "$4.27"))


def line(segments: list[Segment], limit: int) -> str:
    return "".join(part.text for part in fit(segments, limit))


def test_with_room_each_segment_is_full_and_in_the_given_order() -> None:
    assert line([MODEL, METER, COST], 80) == "Opus high · #######--- 71% · $4.27"


def test_the_least_important_goes_first() -> None:
    assert line([MODEL, METER, COST], 30) == "Opus · #######--- 71% · $4.27"
    assert line([MODEL, METER, COST], 28) == "Opus · #######--- 71%"
    assert line([MODEL, METER, COST], 21) == "Opus · #######--- 71%"


def test_the_others_are_shortened_and_dropped_afterwards() -> None:
    assert line([MODEL, METER, COST], 20) == "Opus · 71%"
    assert line([MODEL, METER, COST], 10) == "Opus · 71%"
    assert line([MODEL, METER, COST], 9) == "71%"


def test_even_the_most_important_is_cut_at_last() -> None:
    assert line([MODEL, METER, COST], 2) == "7…"
    assert line([METER], 0) == ""


def test_nothing_to_say_is_an_empty_line() -> None:
    assert line([], 80) == ""


printable = some.text(some.characters(exclude_categories=["Cc", "Cs", "Cf", "Co"]), max_size=12)
segments = some.lists(
    some.lists(some.tuples(some.integers(0, 100), printable), min_size=1, max_size=4).map(
        lambda forms: tuple(Form(importance, (Part(text),)) for importance, text in forms)
    ),
    max_size=8,
)


@given(segments, some.integers(0, 100))
def test_a_line_never_outgrows_its_limit(given_segments: list[Segment], limit: int) -> None:
    assert columns(line(given_segments, limit)) <= limit
