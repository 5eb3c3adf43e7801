"""Themes: how each role is drawn, at each depth of colour."""

import msgspec


class Ink(msgspec.Struct, frozen=True):
    """One role's look. Without a colour the terminal's own stays."""

    rgb: tuple[int, int, int] | None = None
    of_256: int | None = None
    of_16: int | None = None
    """As SGR numbers it: 30 to 37, bright 90 to 97."""
    is_bold: bool = False
    is_dim: bool = False
    is_reverse: bool = False


Theme = dict[str, Ink]

_TIDE: Theme = {
    "model": Ink((122, 178, 214), 110, 36, is_bold=True),
    "directory": Ink((205, 211, 219), 252, 37),
    "branch": Ink((138, 176, 150), 108, 32),
    "accent": Ink((122, 178, 214), 110, 36),
    "text": Ink((178, 186, 196), 250, 37),
    "dim": Ink((128, 138, 150), 245, 90),
    "track": Ink((78, 88, 100), 240, 90),
    "normal": Ink((88, 188, 176), 73, 36),
    "warning": Ink((228, 180, 84), 179, 33, is_bold=True),
    "critical": Ink((238, 138, 80), 209, 31, is_bold=True),
    "exhausted": Ink((240, 92, 104), 203, 91, is_bold=True),
    "added": Ink((138, 176, 150), 108, 32),
    "removed": Ink((206, 128, 128), 174, 31),
    "badge": Ink((228, 180, 84), 179, 33, is_reverse=True),
}

_EMBER: Theme = {
    "model": Ink((232, 164, 112), 216, 33, is_bold=True),
    "directory": Ink((224, 212, 196), 253, 37),
    "branch": Ink((190, 168, 128), 144, 33),
    "accent": Ink((232, 164, 112), 216, 33),
    "text": Ink((200, 186, 170), 250, 37),
    "dim": Ink((150, 138, 126), 245, 90),
    "track": Ink((96, 84, 76), 240, 90),
    "normal": Ink((168, 178, 110), 143, 32),
    "warning": Ink((240, 190, 80), 221, 33, is_bold=True),
    "critical": Ink((244, 132, 60), 208, 31, is_bold=True),
    "exhausted": Ink((240, 76, 64), 196, 91, is_bold=True),
    "added": Ink((168, 178, 110), 143, 32),
    "removed": Ink((214, 112, 92), 167, 31),
    "badge": Ink((240, 190, 80), 221, 33, is_reverse=True),
}

_PLAIN: Theme = {
    "model": Ink(is_bold=True),
    "dim": Ink(is_dim=True),
    "track": Ink(is_dim=True),
    "warning": Ink(is_bold=True),
    "critical": Ink(is_bold=True),
    "exhausted": Ink(is_bold=True, is_reverse=True),
    "badge": Ink(is_reverse=True),
}

DEFAULT = "tide"
THEMES: dict[str, Theme] = {"tide": _TIDE, "ember": _EMBER, "plain": _PLAIN}
