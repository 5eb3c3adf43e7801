"""The text of our line or lines, composed of segments."""

from collections.abc import Mapping

from shared.process import boundary
from shared.settings.config import Config
from statusline.measuring.status import Status
from statusline.segment import Form, Part
from statusline.segments import SEGMENTS
from statusline.segments.badge import badge
from statusline.terminal.layout import SEPARATOR, fit
from statusline.terminal.style import depth_of, paint
from statusline.terminal.width import to_ascii

MARGIN = 4
"""Columns that the client reserves: it indents by two, and cuts text closer than two to the edge."""
_DEFAULT_COLUMNS = 80


def draw(status: Status, config: Config, root: str, environ: Mapping[str, str]) -> str:
    """The configured lines, without a newline at the end."""
    limit = max(1, _columns(environ.get("COLUMNS", "")) - MARGIN)
    depth = depth_of(environ, config.statusline.color)
    is_ascii = config.statusline.ascii or _is_ascii(environ)
    separator = Part(to_ascii(SEPARATOR.text), SEPARATOR.role) if is_ascii else SEPARATOR
    lines = []
    for number, names in enumerate(config.statusline.lines):
        renders = [SEGMENTS[name] for name in names if name in SEGMENTS and name not in config.statusline.hide]
        if number == 0 and status.problems:
            renders.insert(0, badge)
        # A segment that fails is left out alone.
        segments = [segment for render in renders if (segment := boundary.attempt("statusline", root, render, status))]
        if is_ascii:
            segments = [tuple(map(_in_ascii, segment)) for segment in segments]
        lines.append(paint(fit(segments, limit, separator), depth))
    return "\n".join(line for line in lines if line)


def _is_ascii(environ: Mapping[str, str]) -> bool:
    """Whether the environment names a locale that is not UTF-8; without one, terminals are assumed to be UTF-8."""
    locale = environ.get("LC_ALL") or environ.get("LC_CTYPE") or environ.get("LANG") or "UTF-8"
    return "utf" not in locale.lower()


def _in_ascii(form: Form) -> Form:
    return Form(form.importance, tuple(Part(to_ascii(part.text), part.role) for part in form.parts))


def _columns(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 6 and int(text) > 0 else _DEFAULT_COLUMNS
