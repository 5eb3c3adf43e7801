"""How full the context window is: bar, percent used, level, tokens of the window."""

from shared.config import Config
from shared.levels import Level
from shared.quantities import tokens_text
from shared.reading import Reading
from statusline.segment import Part, Segment, role_of, segment
from statusline.status import Status

CELLS = 10
FULL, EMPTY = "█", "░"
SIGNS = {Level.NORMAL: "", Level.WARNING: "!", Level.CRITICAL: "!!", Level.EXHAUSTED: "!!!"}


def render(status: Status, config: Config) -> Segment | None:  # noqa: ARG001  every segment is called alike
    reading = status.reading
    if reading is None:
        return segment((98, (Part("context ?", "dim"),)))
    if reading.used is None:
        return segment((98, (Part("context ?", "dim"), *_tokens(reading))))
    role = role_of(status.level)
    if reading.used is None:
        if reading.tokens is None:
            return segment((98, (Part("context ?", "dim"),)))
        tokens = Part(f"{tokens_text(reading.tokens)}, window ?", role)
        level = (Part(f" {status.level.name}", role),) if status.level else ()
        return segment((98, (tokens,)), (94, (tokens, *level)))
    percent = Part(f"{reading.used}%", role)
    word = (percent, Part(f" {status.level.name}", role)) if status.level else (percent,)
    meter = (*_bar(reading.used, role), Part(" "), *word)
    return segment(
        (100, (percent, Part(SIGNS[status.level], role))),
        (98, word),
        (94, meter),
        (86, (*meter, *_tokens(reading))),
    )


def _bar(used: int, role: str) -> tuple[Part, Part]:
    filled = used * CELLS // 100
    return Part(FULL * filled, role), Part(EMPTY * (CELLS - filled), "track")


def _tokens(reading: Reading) -> tuple[Part, ...]:
    if reading.tokens is None:
        return ()
    size = f"/{tokens_text(reading.window)}" if reading.window else ""
    return (Part(f" {tokens_text(reading.tokens)}{size}", "dim"),)
