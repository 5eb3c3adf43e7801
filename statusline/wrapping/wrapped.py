"""The person's own status line from before ours: it still runs, on the same stdin, and is shown unchanged."""

import os
from typing import TYPE_CHECKING

from shared import paths
from shared.files import files
from shared.files.lenient import LenientRecord, record_or_empty

if TYPE_CHECKING:
    from statusline.wrapping.command import Command


class Wrapped(LenientRecord):
    """The client's `statusLine` setting, as it was before the installation."""

    command: str = ""
    padding: float | None = None
    """Columns by which the client indents on either side; stored in our own setting."""

    @property
    def indent(self) -> int:
        return int(self.padding) if self.padding and 0 < self.padding < 1000 else 0


def read(root: str) -> Wrapped | None:
    """What is wrapped; None when nothing is, or when it is ourselves."""
    document = files.read_or_none(paths.wrapped(root))
    if document is None:
        return None
    wrapped = record_or_empty(document, Wrapped)
    is_ourselves = os.path.join(root, "bin", "statusline") in wrapped.command
    return wrapped if wrapped.command and not is_ourselves else None


def start(wrapped: Wrapped | None, stdin: bytes) -> "Command | None":
    """The process of the wrapped command; None when there is none to start or it cannot be started."""
    if wrapped is None:
        return None
    from statusline.wrapping.command import Command  # noqa: PLC0415  10 ms, needed only to wrap a status line

    try:
        return Command(wrapped.command, stdin)
    except (OSError, ValueError):
        return None
