"""The person's own status line from before ours: it still runs, on the same stdin, and is shown unchanged."""

import os
from typing import TYPE_CHECKING

from shared import paths
from shared.files import files
from shared.files.lenient import LenientRecord, record_or_empty

if TYPE_CHECKING:
    from statusline.wrapping.command import Command


class StatusLineSetting(LenientRecord):
    """The client's `statusLine`, as it was before the installation."""

    command: str = ""


def read(root: str) -> str:
    """The command that is wrapped; empty when none is, or when it is ourselves."""
    command = record_or_empty(files.read_or_none(paths.wrapped(root)) or b"", StatusLineSetting).command
    return "" if os.path.join(root, "bin", "statusline") in command else command


def start(command: str, stdin: bytes) -> "Command | None":
    """The process of the wrapped command; None when there is none to start or it cannot be started."""
    if not command:
        return None
    from statusline.wrapping.command import Command  # noqa: PLC0415  10 ms, needed only to wrap a status line

    try:
        return Command(command, stdin)
    except (OSError, ValueError, RuntimeError):  # the last: no thread can be started
        return None
