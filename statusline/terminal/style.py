"""The styling of a line for a terminal: the only file that writes escape codes."""

from collections.abc import Iterable, Mapping
from itertools import groupby

from statusline.segment import Part
from statusline.terminal.inks import INKS, Ink

RESET = "\x1b[0m"


def depth_of(environ: Mapping[str, str], setting: str) -> str:
    """The colour depth: the person's setting, otherwise the one that the terminal's variables indicate."""
    if setting != "auto":
        return setting
    term = environ.get("TERM", "")
    if environ.get("NO_COLOR") or term == "dumb":
        return "none"
    if environ.get("COLORTERM") in {"truecolor", "24bit"} or environ.get("WT_SESSION") or "direct" in term:
        return "truecolor"
    return "256" if "256color" in term else "16"


def paint(line: Iterable[Part], depth: str) -> str:
    if depth == "none":
        return "".join(part.text for part in line)
    painted = []
    for role, parts in groupby(line, key=lambda part: part.role):
        text = "".join(part.text for part in parts)
        code = _code(INKS.get(role) or Ink(), depth)
        painted.append(f"\x1b[{code}m{text}{RESET}" if code and text.strip() else text)
    return "".join(painted)


def _code(ink: Ink, depth: str) -> str:
    """The parameters of the escape code for `ink`; empty for the terminal's own look."""
    codes = [code for code, is_on in (("1", ink.is_bold), ("7", ink.is_reverse)) if is_on]
    if depth == "truecolor" and ink.rgb:
        codes.append("38;2;{};{};{}".format(*ink.rgb))
    elif depth == "256" and ink.of_256 is not None:
        codes.append(f"38;5;{ink.of_256}")
    elif depth == "16" and ink.of_16 is not None:
        codes.append(str(ink.of_16))
    return ";".join(codes)
