"""Inks: how each role is drawn, at each colour depth."""

import msgspec


class Ink(msgspec.Struct, frozen=True):
    """One role's look: a middle tone, legible on dark and light backgrounds; without a colour, the terminal's own."""

    rgb: tuple[int, int, int] | None = None
    of_256: int | None = None
    of_16: int | None = None
    """The SGR code: 30 to 37, bright 91 to 96; 2 for faint, because bright black is some themes' background."""
    is_bold: bool = False
    is_reverse: bool = False


INKS = {
    "model": Ink((84, 150, 206), 68, 36, is_bold=True),
    "branch": Ink((98, 158, 112), 71, 32),
    "accent": Ink((84, 150, 206), 68, 36),
    "dim": Ink((128, 138, 150), 245, 2),
    "track": Ink((110, 120, 132), 242, 2),
    "normal": Ink((48, 164, 152), 37, 36),
    "warning": Ink((210, 146, 30), 172, 33, is_bold=True),
    "critical": Ink((228, 106, 48), 202, 31, is_bold=True),
    "exhausted": Ink((226, 72, 88), 203, 91, is_bold=True),
    "added": Ink((98, 158, 112), 71, 32),
    "removed": Ink((190, 104, 104), 131, 31),
    "badge": Ink((210, 146, 30), 172, 33, is_reverse=True),
}
"""Inks by role; any other role is drawn in the terminal's own colour."""
