"""How full the context window is: bar, percent used, level, tokens of the window."""

from shared.config import Config
from shared.level import Level
from shared.reading import Reading
from statusline.quantities import tokens_text
from statusline.segment import CONTEXT, Part, Segment, role_of
from statusline.status import Status

CELLS = 10
FULL, EMPTY = "█", "░"
SIGNS = {Level.NORMAL: "", Level.WARNING: "!", Level.CRITICAL: "!!", Level.EXHAUSTED: "!!!"}


def render(status: Status, config: Config) -> Segment | None:  # noqa: ARG001  every segment is called alike
    reading = status.reading
    if reading is None:
        return Segment(CONTEXT, ((Part("context ?", "dim"),), (Part("ctx ?", "dim"),)))
    role = role_of(status.level)
    percent = Part(f"{reading.used}%", role)
    word = (Part(f" {status.level.name}", role),) if status.level else ()
    bar = _bar(reading.used, role)
    bare = (percent, Part(SIGNS[status.level], role))
    return Segment(
        CONTEXT,
        (
            (*bar, Part(" "), percent, *word, *_tokens(reading)),
            (*bar, Part(" "), percent, *word),
            (percent, *word),
            bare,
        ),
    )


def _bar(used: int, role: str) -> tuple[Part, Part]:
    filled = used * CELLS // 100
    return Part(FULL * filled, role), Part(EMPTY * (CELLS - filled), "track")


def _tokens(reading: Reading) -> tuple[Part, ...]:
    if reading.tokens is None:
        return ()
    size = f"/{tokens_text(reading.window)}" if reading.window else ""
    return (Part(f" {tokens_text(reading.tokens)}{size}", "dim"),)
