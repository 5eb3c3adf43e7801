"""The installer's output."""

import contextlib
import io
import os
import re
import sys

from shared.text.plain import plain

_LINE_END = re.compile(r"[\r\n]")
_UNUSUAL = re.compile(r"\r(?!\n)|[^\r\n\t -~]")


def prepare() -> None:
    """Set up both streams in UTF-8: we may be started without them, or in a locale that lacks a character."""
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  for as long as we run
    sys.stderr = sys.stderr or sys.stdout
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="surrogateescape")


def say(text: str) -> None:
    """Print text, parts of which may come from a repository."""
    draw(legible(text))


def legible(text: str) -> str:
    """Return `text` with what could control a terminal escaped as in Python; line ends and tabs stay."""
    return _UNUSUAL.sub(lambda match: plain(match[0]) or ascii(match[0])[1:-1], text)


def draw(text: str) -> None:
    """Print text with its own colours: a status line."""
    try:
        print(text, flush=True)
    except BrokenPipeError:  # the reader has seen enough; that is no reason to stop half-way
        print_no_more()


def print_no_more() -> None:
    """Discard what stdout has not taken: Python would try again at exit, and report the failure in three lines."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def say_list(what: str, paths: list[str]) -> None:
    """Print a line for each of `paths`, which begins with `what` is done to it."""
    for path in paths:
        line = _LINE_END.sub(lambda match: ascii(match[0])[1:-1], path)
        say(f"  {what} {line}" if what else f"  {line}")
