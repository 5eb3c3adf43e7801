"""A terminal's text as a picture: every character in its column, every colour as requested."""

import re

import pytest

from docs.drawing.terminal import CELL, MARGIN, animate, draw

pytestmark = pytest.mark.any_python


def test_characters_are_in_their_columns() -> None:
    drawn = draw("ab\x1b[1;38;2;1;2;3m漢c\x1b[0m d\n", "title")

    places = re.findall(r'<text x="([\d.]+)".*?textLength="([\d.]+)".*?>(.*?)</text>', drawn)
    assert [(round((float(x) - MARGIN) / CELL), round(float(n) / CELL), text) for x, n, text in places] == [
        (0, 2, "ab"),
        (2, 3, "漢c"),
        (5, 2, " d"),
    ]
    assert 'fill="#010203" font-weight="bold">漢c' in drawn


def test_the_bar_is_drawn_as_areas() -> None:
    drawn = draw("\x1b[38;2;9;9;9m███░░\x1b[0m", "title")

    widths = re.findall(r'<rect x="[\d.]+" y="[\d.]+" width="([\d.]+)"', drawn)
    assert [round(float(width) / CELL) for width in widths] == [3, 2]
    assert "<text" not in drawn


def test_text_cannot_become_markup() -> None:
    assert "<b>" not in draw("<b>&", "<b>")


def test_an_unknown_colour_is_an_error() -> None:
    with pytest.raises(ValueError, match="cannot be drawn: 9"):
        draw("\x1b[38;5;9mx", "title")


def test_frames_follow_each_other_and_the_last_stands_still_without_motion() -> None:
    drawn = animate(["a\n", "bb\nccc\n"], "title", seconds=[1, 3])

    assert re.findall(r'<g class="(.*?)">', drawn) == ["f0", "f1 last"]
    assert "animation:f0 4s step-end infinite" in drawn
    assert "@keyframes f0{0%{visibility:visible}25%{visibility:hidden}}" in drawn
    assert "@keyframes f1{0%{visibility:hidden}25%{visibility:visible}}" in drawn
    assert f'width="{MARGIN * 2 + CELL * 3:g}"' in drawn
