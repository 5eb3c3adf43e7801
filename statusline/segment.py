"""A segment: one renderer's output, as text and roles; only terminal/ knows colours.

The importance of each form of a segment decides what a narrow line keeps. The scale: from 90 a line's purpose,
from 78 urgent facts, from 60 help with planning, and below that facts that are good to know.
"""

import msgspec


class Part(msgspec.Struct, frozen=True):
    """A piece of text, and its role, which decides how it is drawn."""

    text: str
    role: str = "text"


class Form(msgspec.Struct, frozen=True):
    importance: int
    parts: tuple[Part, ...]


Segment = tuple[Form, ...]
"""A renderer's output, from its shortest form to its fullest; the fuller, the less important. Never empty."""
