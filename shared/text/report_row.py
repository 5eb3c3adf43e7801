"""A row of what is told of a session: a label, in a column that is as wide everywhere, and a text."""

from typing import Literal

import msgspec

Tone = Literal["plain", "calm", "notice", "urgent", "quiet"]
WIDTH = 16
"""Room for the longest label, `answered before`, and a blank."""


class ReportRow(msgspec.Struct, frozen=True, omit_defaults=True):
    label: str
    """Empty when it continues the one above."""
    text: str
    """What is from outside in it is made safe."""
    tone: Tone = "plain"


def label_cell(label: str) -> str:
    """`label` in its column; a longer one doesn't touch what it names either."""
    return f"{label:<{WIDTH - 1}} "
