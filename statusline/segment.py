"""A segment: what one renderer says, as text and roles; style.py alone knows colours."""

import msgspec

from shared.level import Level

CONTEXT, MODEL, DIRECTORY, BADGE = 100, 90, 80, 95
"""How important the essential segments are: these are shortened before they are dropped."""
ESSENTIAL = 80


class Part(msgspec.Struct, frozen=True):
    """A stretch of text of one role: `text`, `dim`, `accent`, `strong`, `track`, or a level's name in lower case."""

    text: str
    role: str = "text"


Form = tuple[Part, ...]


class Segment(msgspec.Struct, frozen=True):
    """One segment in its possible forms."""

    importance: int
    """The least important are left out first where the line is too long."""
    forms: tuple[Form, ...]
    """From the fullest to the shortest; never empty."""


def segment(importance: int, *forms: Form) -> Segment:
    return Segment(importance, forms)


def role_of(level: Level) -> str:
    """The role in which a level is drawn: its name in lower case."""
    return level.name.lower()
