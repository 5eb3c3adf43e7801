"""The person's clipboard, where there is one: tried in a process of its own, which may hang and is then ended."""

import sys

_SECONDS = 3.0
_PROGRAM = "import sys, pyperclip; pyperclip.copy(sys.stdin.buffer.read().decode())"
"""pyperclip knows each system's way, and raises where there is none; it may wait for a display that never answers."""


def copy(text: str) -> bool:
    """Whether `text` is on the clipboard now."""
    import subprocess  # noqa: PLC0415  8 ms for who wants it

    try:
        result = subprocess.run(
            [sys.executable, "-I", "-c", _PROGRAM],
            input=text.encode("utf-8", "replace"),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return result.returncode == 0
