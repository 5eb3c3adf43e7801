"""The status line that the person had before ours: it still runs, on the same stdin, and is shown as it is."""

import os
from typing import TYPE_CHECKING

import msgspec

from shared import paths
from shared.files import files, lenient

if TYPE_CHECKING:
    from statusline.wrapping.command import Command


class _Setting(msgspec.Struct, frozen=True):
    """The setting in its file: what the person wrote as padding need not be one for the command to run."""

    command: str = ""
    padding: msgspec.Raw = msgspec.Raw(b"null")


class Wrapped(msgspec.Struct, frozen=True):
    """The client's `statusLine` setting, as it was before the installation."""

    command: str = ""
    padding: float | None = None
    """Columns by which the client indents on either side; stored in our own setting."""

    @property
    def indent(self) -> int:
        return int(self.padding) if self.padding and 0 < self.padding < 1000 else 0


def read(root: str) -> Wrapped | None:
    """What is wrapped; None when nothing is, or when it is ourselves."""
    setting = files.load(paths.wrapped(root), _Setting, None)
    if setting is None:
        return None
    wrapped = Wrapped(setting.command, lenient.decode_or(bytes(setting.padding), float, None))
    is_ourselves = os.path.join(root, "bin", "statusline") in wrapped.command
    return wrapped if wrapped.command and not is_ourselves else None


def start(wrapped: Wrapped | None, stdin: bytes) -> "Command | None":
    """The process of the wrapped command; None when there is none to start or it cannot be started."""
    if wrapped is None:
        return None
    from statusline.wrapping.command import Command  # noqa: PLC0415  10 ms that only who wraps a status line pays

    try:
        return Command(wrapped.command, stdin)
    except (OSError, ValueError):
        return None


def joined(ours: bytes, theirs: bytes, position: str) -> bytes:
    """What is shown of both: `theirs` byte for byte where it stands `alone`; ours stands `above` or `below` it."""
    if position == "above":
        return ours + theirs
    if position == "below":
        return theirs + b"\n" * (not theirs.endswith(b"\n")) + ours
    return theirs
