"""A row of a report on a session: a label, in a column of fixed width, and a text."""

from typing import Literal

import msgspec

Tone = Literal["plain", "calm", "notice", "urgent", "quiet"]
WIDTH = 16
"""The columns of the longest label, `answered before`, and a blank."""


class ReportRow(msgspec.Struct, frozen=True, omit_defaults=True):
    label: str
    """Empty when the row continues the one above."""
    text: str
    """Any foreign text in it has been made safe."""
    tone: Tone = "plain"


def label_cell(label: str) -> str:
    """`label` padded to its column; a longer one still ends with a blank."""
    return f"{label:<{WIDTH - 1}} "
