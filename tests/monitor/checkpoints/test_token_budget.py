"""What is said of sections that don't all fit: the most needed first, and something of each."""

import pytest

from monitor.checkpoints.token_budget import MARK, Section, composed, tokens
from shared.plain import escaped

LONG = "word " * 200


def composed_in(budget: int, *sections: Section) -> list[str]:
    text = composed("head", sections, "foot", budget, escaped)
    assert tokens(text) <= budget
    return text.split("\n")


def test_what_fits_is_said_whole_and_without_a_mark() -> None:
    sections = Section("Tasks", ["one", "two"]), Section("Empty", []), Section("Files", ["a.py"], total=7)
    assert composed_in(200, *sections) == ["head", "Tasks: one; two", "Files: a.py; 6 more", "foot"]


def test_a_long_item_is_cut_and_leaves_room_for_those_behind() -> None:
    said = composed_in(100, Section("First", [LONG]), Section("Second", [LONG]), Section("Third", ["short"]))
    assert said[1].startswith("First: word word word word")
    assert said[1].endswith("…")
    assert said[2].startswith("Second: word word word word")
    assert said[3:] == ["Third: short", MARK, "foot"]


def test_the_room_that_is_left_goes_to_what_is_needed_most() -> None:
    said = composed_in(150, Section("First", [LONG]), Section("Second", ["short"]), Section("Third", ["short"]))
    assert tokens("\n".join(said)) > 135


def test_further_items_come_in_turn_and_those_that_do_not_fit_are_counted() -> None:
    names = [f"name-{number}" for number in range(40)]
    said = composed_in(110, Section("First", names), Section("Second", names))
    shown = [line.count("name-") for line in said[1:3]]
    assert shown[0] - shown[1] in {0, 1}
    assert [line.rpartition("; ")[2] for line in said[1:3]] == [f"{40 - count} more" for count in shown]


def test_a_path_keeps_its_end() -> None:
    said = composed_in(70, Section("File", ["deep/" * 100 + "name.py"], keeps_end=True))
    assert said[1].startswith("File: …")
    assert said[1].endswith("/name.py")


def test_what_is_escaped_is_counted_as_it_is_said() -> None:
    said = composed_in(90, Section("Tags", ["<a>" * 100]))
    assert said[1].startswith("Tags: &lt;a&gt;&lt;a&gt;")


@pytest.mark.parametrize("budget", [0, 20, 26])
def test_without_room_for_anything_worth_showing_only_the_frame_is_left(budget: int) -> None:
    text = composed("head", [Section("First", [LONG])], "foot", budget, escaped)
    assert text == f"head\n{MARK}\nfoot"


@pytest.mark.parametrize(
    ("text", "cost"),
    [
        ("", 0),
        ("order", 1),  # a word of up to five letters is one token
        ("orders", 1.25),  # and each further letter a quarter of one
        ("Checkouts", 2),
        ("ID", 1),  # capitals are told apart earlier
        ("HTTPS", 2.2),
        ("123", 1),  # three digits are one token
        ("1234", 2),
        (" ", 0.1),
        ("/", 0.9),
        ("é", 1),  # half a token a byte
        ("設定", 3),
        ("🚀", 3),
        ("src/a.py", 1 + 0.9 + 1 + 0.9 + 1),
    ],
)
def test_tokens_are_estimated_by_kind_of_character(text: str, cost: float) -> None:
    """A hundred of them, so that what is cut off at the end of one counts."""
    assert tokens(f"{text}\0" * 100) == pytest.approx(100 * (cost + 0.9), abs=1)
