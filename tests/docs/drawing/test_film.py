"""The animation: a turn within four seconds, with the program's own message and lines."""

import re

import pytest

from docs.drawing import film
from docs.pictures import IMAGES

pytestmark = pytest.mark.any_python


def test_the_turn_is_complete_within_four_seconds_and_the_agents_action_stays() -> None:
    drawn = (IMAGES / "session.svg").read_text("utf-8")
    *before, last = [
        re.sub(r"<[^>]*>", " ", frame) for frame in re.findall(r'<g class="f\d[^"]*">(.*?)</g>', drawn, re.DOTALL)
    ]

    assert sum(film.SECONDS[:-1]) < 4 < film.SECONDS[-1]
    assert [("CONTEXT WINDOW" in frame, "Write(PROJECT-SUMMARY.md)" in frame) for frame in before] == [
        (False, False),
        (True, False),
    ]
    assert "Write(PROJECT-SUMMARY.md)" in last
    assert last.count("CONTEXT WINDOW") == 1  # once it is written, the message isn't repeated


def test_the_sample_is_the_message_of_the_picture() -> None:
    assert film.warning().splitlines()[1].startswith("CONTEXT WINDOW ")
    assert film.warning() == film.warning()
