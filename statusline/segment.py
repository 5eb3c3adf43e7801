"""A segment: what one renderer says, as text and roles; terminal/ alone knows colours.

How important each form of a segment is, decides what a narrow line keeps. The scale: 90 and more is what a line
is for, from 78 on what is urgent now, from 60 on what helps to plan, and below that what is good to know.
"""

import msgspec


class Part(msgspec.Struct, frozen=True):
    """A stretch of text, and its role, which decides how it is drawn."""

    text: str
    role: str = "text"


class Form(msgspec.Struct, frozen=True):
    importance: int
    parts: tuple[Part, ...]


Segment = tuple[Form, ...]
"""What a renderer says, from its shortest form to its fullest; the fuller the less important. Never empty."""
