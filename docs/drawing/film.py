"""One turn of a session at WARNING: what the agent reads with a tool's result, and what it does then.

The tool calls are made up; the lines and the message are what the real processes answer to them.
"""

import os
import re
import tempfile
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager

from commands.demo.playback import PlaybackStep
from commands.demo.stage import Stage, stage
from docs.drawing.terminal import animate
from docs.scratch import empty_home

TITLE = "A session reaches WARNING: the agent reads it with a tool's result, and saves its state"
_COLUMNS, _WINDOW = 52, 200_000
_BEFORE = (122_000, 123_500, 125_000, 126_500, 128_000)
"""Tokens at the answers before, which the forecast is made from."""
SECONDS = [1.2, 2.2, 5.0]
_SUMMARY = "PROJECT-SUMMARY.md"
_FRAME, _TIME = re.compile(r"^---.*\n?", re.MULTILINE), re.compile(r" Measured by [^.]* UTC\.")
_CLOCK = re.compile(r"\d\d:\d\d:\d\d UTC")


def film() -> str:
    """The SVG of the turn."""
    with _played() as session:
        frames = _frames(session)
    rows = max(frame.count("\n") for frame in frames)
    return animate([_on_the_ground(frame, rows) for frame in frames], TITLE, SECONDS)


def warning() -> str:
    """The turn's message, as the agent reads it at 15:20:30 UTC."""
    with _played() as session:
        for step in _steps():
            session.draw(step, _WINDOW)
            message = session.use_tool(step)
    return _CLOCK.sub("15:20:30 UTC", message)


@contextmanager
def _played() -> Iterator[Stage]:
    with tempfile.TemporaryDirectory() as scratch:
        root, _ = empty_home(scratch)
        with stage(root, {"COLUMNS": str(_COLUMNS), "COLORTERM": "truecolor", "HOME": scratch}) as session:
            yield session


def _steps() -> Iterator[PlaybackStep]:
    for number, tokens in enumerate((*_BEFORE, 142_000), 1):
        yield PlaybackStep(number, "Bash", tokens)


def _frames(session: Stage) -> list[str]:
    *calm, crossing = _steps()
    for step in calm:
        line, message = _turn(session, step)
    rows = [*_call("Read(src/checkout.py)", "Read 212 lines"), *message, ""]
    frames = [[*rows, line]]
    line, message = _turn(session, crossing)
    rows += [*_call("Bash(python -m pytest)", "3 failed, 41 passed"), *message, ""]
    frames.append([*rows, line])
    with open(os.path.join(os.path.dirname(session.transcript), _SUMMARY), "w", encoding="utf-8") as file:
        file.write("Done: cart, prices. Left: three tests of the checkout. Next: fix the rounding.\n")
    line, message = _turn(session, PlaybackStep(crossing.number + 1, "Write", 143_400))
    rows += [*_call(f"Write({_SUMMARY})", "What is done, what is left, what is next"), *message, ""]
    return ["\n".join(frame) for frame in (*frames, [*rows, line])]


def _turn(session: Stage, step: PlaybackStep) -> tuple[str, list[str]]:
    """The line after a tool use, and what the agent reads with its result, as rows of a screen."""
    line = session.draw(step, _WINDOW).rstrip("\n")
    message = _TIME.sub("", _FRAME.sub("", session.use_tool(step)))
    rows = [row for text in message.splitlines() for row in textwrap.wrap(text, _COLUMNS - 4)]
    return line, [f"    \x1b[33m{row}\x1b[0m" for row in rows]


def _call(name: str, result: str) -> tuple[str, str]:
    return f"\x1b[1m● {name}\x1b[0m", f"  \x1b[2m└  {result}\x1b[0m"


def _on_the_ground(frame: str, rows: int) -> str:
    """Return the frame with its line, the last row, at the bottom of a screen of `rows` + 1 rows."""
    *above, line = frame.split("\n")
    return "\n".join([*above, *[""] * (rows - len(above)), line])
