from pathlib import Path

import pytest

from shared.gauge.levels import Level
from shared.gauge.verdict import Verdict
from shared.gauge.window import Reading, WindowSource
from statusline.measuring.status import Status
from statusline.payload import Payload
from statusline.segments import window
from tests.levels import level_at
from tests.statusline.scene import captured, status_of, text, with_tokens


@pytest.mark.parametrize(
    ("tokens", "bar"),
    [
        (0, "░░░░░░░░░░ 0% 0/200k"),
        (19_000, "█░░░░░░░░░ 10% 19k/200k"),
        (142_000, f"███████░░░ 71% {level_at(142_000).name} 142k/200k"),
        (198_000, "█████████░ 99% EXHAUSTED 198k/200k"),
        (260_000, "██████████ 100% EXHAUSTED 260k/200k"),
    ],
)
def test_the_bar_fills_by_tenths(tokens: int, bar: str) -> None:
    assert text(window.context(with_tokens(tokens))) == bar


def test_a_long_window_is_named() -> None:
    assert text(window.context(with_tokens(142_000, 1_000_000))) == "█░░░░░░░░░ 14% 142k/1M"


@pytest.mark.parametrize(
    ("name", "percent", "level"),
    [
        ("few-tokens", "0%", Level.NORMAL),
        ("warning", "67%", Level.WARNING),
        ("critical", "79%", Level.CRITICAL),
        ("exhausted", "85%", Level.EXHAUSTED),
    ],
)
def test_the_level_shows_without_colour_in_every_form(name: str, percent: str, level: Level) -> None:
    segment = window.context(status_of(captured(name), Path("/nowhere")))
    word = f"{percent} {level.name}" if level else percent

    assert text(segment, 0) == percent + "!" * level
    assert text(segment, 1) == word
    assert word in str(text(segment, 2))
    assert word in str(text(segment, 3))


@pytest.mark.parametrize("level", Level)
def test_the_level_shows_by_role(level: Level) -> None:
    segment = window.context(with_tokens(142_000, level=level))

    assert segment
    assert level.name.lower() in {part.role for part in segment[-1].parts}


@pytest.mark.parametrize("name", ["first-draw", "compacted"])
def test_the_unknown_has_no_number(name: str) -> None:
    assert text(window.context(status_of(captured(name), Path("/nowhere")))) == "context ?"


def test_a_percentage_alone_is_shown_alone() -> None:
    reading = Reading(28.5, None, None, "statusline", WindowSource.BRIDGE, 0)

    status = Status(Payload(), 0, Verdict(reading, Level.WARNING))

    assert text(window.context(status)) == "███████░░░ 72% WARNING"
