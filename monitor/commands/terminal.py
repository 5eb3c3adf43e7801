"""How a command's output looks: plain text, with colour on a terminal whose owner has not declined it."""

import os
import shutil
import sys
from collections.abc import Mapping

from shared.plain import plain

_LONGEST = 2_000
_CODES = {"green": "32", "yellow": "33", "red": "31", "dim": "2", "bold": "1"}


def is_coloured(environ: Mapping[str, str] = os.environ) -> bool:
    """Whether stdout takes colours."""
    return sys.stdout.isatty() and not environ.get("NO_COLOR") and environ.get("TERM") != "dumb"


def width() -> int | None:
    """The terminal's columns; None where stdout is none, and nothing is to be folded."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def painted(text: str, colour: str) -> str:
    """`text` in a colour of _CODES, or as it is where stdout takes none."""
    return f"\033[{_CODES[colour]}m{text}\033[0m" if text and is_coloured() else text


def safe(text: str) -> str:
    """`text`, parts of which come from outside, without what could steer the terminal."""
    return plain(text, _LONGEST)
