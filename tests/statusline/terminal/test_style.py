import pytest

from shared.gauge.levels import Level
from statusline.segment import Part
from statusline.terminal.style import depth_of, paint


@pytest.mark.parametrize(
    ("environ", "depth"),
    [
        ({}, "16"),
        ({"TERM": "xterm"}, "16"),
        ({"TERM": "xterm-256color"}, "256"),
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, "truecolor"),
        ({"TERM": "xterm", "COLORTERM": "24bit"}, "truecolor"),
        ({"TERM": "xterm", "COLORTERM": "yes"}, "16"),
        ({"TERM": "xterm-direct"}, "truecolor"),
        ({"WT_SESSION": "1"}, "truecolor"),
        ({"TERM": "dumb"}, "none"),
        ({"TERM": "dumb", "COLORTERM": "truecolor"}, "none"),
        ({"TERM": "xterm-256color", "NO_COLOR": "1"}, "none"),
        ({"TERM": "xterm-256color", "NO_COLOR": ""}, "256"),
    ],
)
def test_the_terminal_determines_the_colour_depth(environ: dict[str, str], depth: str) -> None:
    assert depth_of(environ, "auto") == depth


def test_the_persons_colour_depth_takes_precedence() -> None:
    assert depth_of({"NO_COLOR": "1", "TERM": "dumb"}, "256") == "256"


@pytest.mark.parametrize(
    ("depth", "painted"),
    [
        ("truecolor", "\x1b[1;38;2;210;146;30m67% WARNING\x1b[0m"),
        ("256", "\x1b[1;38;5;172m67% WARNING\x1b[0m"),
        ("16", "\x1b[1;33m67% WARNING\x1b[0m"),
        ("none", "67% WARNING"),
    ],
)
def test_neighbours_of_one_role_share_one_code(depth: str, painted: str) -> None:
    assert paint([Part("67%", "warning"), Part(" WARNING", "warning")], depth) == painted


def test_text_keeps_the_terminals_own_look() -> None:
    assert paint([Part("$4.27")], "truecolor") == "$4.27"


@pytest.mark.parametrize("depth", ["truecolor", "256", "16"])
def test_colours_tell_the_levels_apart(depth: str) -> None:
    assert len({paint([Part("x", level.name.lower())], depth) for level in Level}) == len(Level)
