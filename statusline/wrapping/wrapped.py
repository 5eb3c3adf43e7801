"""The person's previous status line, which still runs on the same stdin and is shown unchanged."""

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
    """Read the wrapped command; empty if there is none, or if it is our own."""
    command = record_or_empty(files.read_or_none(paths.wrapped(root)) or b"", StatusLineSetting).command
    return "" if os.path.join(root, "bin", "statusline") in command else command


def start(command: str, stdin: bytes) -> "Command | None":
    """Start the wrapped command; return None if there is none or it can't be started."""
    if not command:
        return None
    from statusline.wrapping.command import Command  # noqa: PLC0415  10 ms, needed only to wrap a status line

    try:
        return Command(command, stdin)
    except (OSError, ValueError, RuntimeError):  # RuntimeError: no thread can be started
        return None
