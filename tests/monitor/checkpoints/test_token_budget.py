"""Sections that don't all fit a token budget: the most needed first, and something of each."""

import pytest

from monitor.checkpoints.token_budget import MARK, MOST_CHARACTERS, Section, compose, tokens
from shared.text.plain import escaped, one_line

LONG = "word " * 200


def composed_in(budget: int, *sections: Section) -> list[str]:
    text = compose("head", sections, "foot", budget, escaped)
    assert tokens(text) <= budget
    return text.split("\n")


@pytest.mark.parametrize("text", ["abcdef ", "Abcdefg ", "a", "A ", "123 ", "123", " ", "\u00e9"])
def test_no_token_has_more_characters_than_are_tried(text: str) -> None:
    line = one_line(text * 1_000, 6_000)
    assert len(line) <= MOST_CHARACTERS * tokens(line)


def test_text_that_fits_is_told_whole_without_a_mark() -> None:
    sections = Section("Tasks", ["one", "two"]), Section("Empty", []), Section("Files", ["a.py"], total=7)
    assert composed_in(200, *sections) == ["head", "Tasks: one; two", "Files: a.py; 6 more", "foot"]


def test_a_long_item_is_cut_and_leaves_room_for_later_ones() -> None:
    lines = composed_in(100, Section("First", [LONG]), Section("Second", [LONG]), Section("Third", ["short"]))
    assert lines[1].startswith("First: word word word word")
    assert lines[1].endswith("…")
    assert lines[2].startswith("Second: word word word word")
    assert lines[3:] == ["Third: short", MARK, "foot"]


def test_the_remaining_room_goes_to_the_most_needed_section() -> None:
    lines = composed_in(150, Section("First", [LONG]), Section("Second", ["short"]), Section("Third", ["short"]))
    assert tokens("\n".join(lines)) > 135


def test_further_items_come_in_turn_and_the_rest_is_counted() -> None:
    names = [f"name-{number}" for number in range(40)]
    lines = composed_in(110, Section("First", names), Section("Second", names))
    counts = [line.count("name-") for line in lines[1:3]]
    assert counts[0] - counts[1] in {0, 1}
    assert [line.rpartition("; ")[2] for line in lines[1:3]] == [f"{40 - count} more" for count in counts]


def test_a_path_keeps_its_end() -> None:
    lines = composed_in(70, Section("File", ["deep/" * 100 + "name.py"], keeps_end=True))
    assert lines[1].startswith("File: …")
    assert lines[1].endswith("/name.py")


def test_escaped_text_is_counted_in_its_escaped_form() -> None:
    lines = composed_in(90, Section("Tags", ["<a>" * 100]))
    assert lines[1].startswith("Tags: &lt;a&gt;&lt;a&gt;")


@pytest.mark.parametrize("budget", [0, 15, 20])
def test_without_room_for_items_only_the_frame_is_left(budget: int) -> None:
    text = compose("head", [Section("First", [LONG])], "foot", budget, escaped)
    assert text == f"head\n{MARK}\nfoot"


@pytest.mark.parametrize(
    ("text", "cost"),
    [
        ("", 0),
        ("orders", 1),  # six letters are one token, with a capital before them
        ("Voucher", 1),
        ("voucher", 2),
        ("Checkouts", 2),
        ("HTTP", 2),  # three capitals
        ("123", 1),  # three digits
        ("1234", 2),
        (" ", 0),
        ("/", 1),
        ("\n", 1),
        ("\u00a0", 1),  # a blank beyond ASCII is a sign as others are
        ("\u3000", 2),
        ("é", 1),  # one less than bytes
        ("設定", 4),
        ("🚀", 3),
        ("src/a.py", 5),
    ],
)
def test_tokens_are_estimated_by_kind_of_character(text: str, cost: int) -> None:
    assert tokens(text) == cost + 1
    assert tokens(f"{text}/" * 100) == 100 * (cost + 1) + 1


@pytest.mark.parametrize("items", [["one two three"], ["a" * 40, "b" * 40, "c" * 40]])
def test_text_that_just_fits_is_whole_and_one_token_less_cuts_it(items: list[str]) -> None:
    sections = Section("First", items), Section("Second", ["another one"])
    lines = [f"First: {'; '.join(items)}", "Second: another one"]
    needed = sum(tokens(f"{line}\n") for line in ("head", *lines, MARK)) + tokens("foot")
    assert composed_in(needed, *sections) == ["head", *lines, "foot"]
    assert MARK in composed_in(needed - 1, *sections)


@pytest.mark.parametrize(("length", "expected"), [(20, {12, 14, 16, 20}), (13, {13}), (11, {11})])
def test_an_item_is_cut_by_tenths_and_to_no_less_than_twelve_characters(length: int, expected: set[int]) -> None:
    frame = tokens("head\n") + tokens("foot") + tokens(f"{MARK}\n")
    lines = {composed_in(frame + room, Section("A", [("x1" * length)[:length]]))[1] for room in range(60)} - {MARK}
    assert {len(text.removeprefix("A: ").rstrip("\u2026")) for text in lines} == expected


@pytest.mark.parametrize("item", ["x1x1x1x1x", "x1x1x1x1x1x1x"])
def test_a_short_item_is_shown_whole_or_not_at_all(item: str) -> None:
    frame = tokens("head\n") + tokens("foot") + tokens(f"{MARK}\n")
    cost = tokens(f"A: {item}\n")
    assert composed_in(frame + cost, Section("A", [item])) == ["head", f"A: {item}", "foot"]
    assert composed_in(frame + 1, Section("A", [item])) == ["head", MARK, "foot"]


def test_items_beyond_the_given_ones_are_counted() -> None:
    assert composed_in(200, Section("Files", ["a.py", "b.py"], total=1)) == ["head", "Files: a.py; b.py", "foot"]
    assert composed_in(200, Section("Files", ["a.py", "b.py"], total=3)) == [
        "head",
        "Files: a.py; b.py; 1 more",
        "foot",
    ]
