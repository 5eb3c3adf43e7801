"""The pictures of docs/images/, drawn from what the real processes answer."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from docs.drawing.film import film
from docs.drawing.status_line import LineState, status_line
from docs.drawing.terminal import draw
from docs.drawing.watch import watch

IMAGES = Path(__file__).with_name("images")
SCREENSHOTS = frozenset({"report.png"})
"""Pictures taken in a browser, by docs/drawing/report.py."""
_WARNING = 142_000


def _setting(name: str, value: str, tokens: int = _WARNING) -> LineState:
    return LineState(tokens, settings={f"TIDEGAUGE_STATUSLINE__{name}": value})


_ROWS = "model,directory,cost,changes;context,forecast;compaction,cache,duration;limits"
_PLAIN = {"TIDEGAUGE_STATUSLINE__COLOR": "none", "TIDEGAUGE_STATUSLINE__ASCII": "true"}
_LINES = {
    "levels": (
        "The line at 42% NORMAL, 71% WARNING, 78% CRITICAL, 82% EXHAUSTED",
        [LineState(tokens) for tokens in (84_000, _WARNING, 156_000, 163_000)],
    ),
    "rows": ("The line at 71%, set to four rows", [_setting("LINES", _ROWS)]),
    "narrow": ("The line at 71% in 44 columns", [LineState(_WARNING, columns=44)]),
    "unknown": ("The line before the first answer", [LineState(None)]),
    "ascii": ("The line at 71% without colours, in ASCII", [LineState(_WARNING, settings=_PLAIN)]),
    "badge": ("A setting that cannot be used", [_setting("HIDE", "none", 84_000)]),
}
"""The title of each picture of the status line, and the states that its lines are drawn from."""


def _drawn(title: str, states: list[LineState]) -> str:
    return draw("".join(map(status_line, states)), title)


PICTURES: dict[str, Callable[[], str]] = {
    "session": film,
    "watch": watch,
    **{name: partial(_drawn, *line) for name, line in _LINES.items()},
}
