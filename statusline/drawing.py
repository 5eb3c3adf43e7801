"""From segments to the text of our line, or lines."""

from collections.abc import Mapping

from shared import boundary
from shared.config import Config
from statusline.glyphs import to_ascii
from statusline.layout import SEPARATOR, fit
from statusline.segment import Form, Part, Segment
from statusline.segments import SEGMENTS, Render, badge
from statusline.status import Status
from statusline.style import depth_of, paint

MARGIN = 4
"""Columns that the client keeps for itself: it indents by two and cuts what comes closer than two to the edge."""
DEFAULT_COLUMNS = 80


def draw(status: Status, config: Config, root: str, environ: Mapping[str, str], padding: int = 0) -> str:
    """The lines that the configuration orders, without a newline at the end.

    `padding` is the client's setting: columns by which it indents further on either side.
    """
    limit = max(1, _columns(environ.get("COLUMNS", "")) - MARGIN - 2 * padding)
    depth = depth_of(environ, config.statusline.color)
    drawn = []
    for number, names in enumerate(config.statusline.lines):
        renders = [SEGMENTS[name] for name in names if name in SEGMENTS and name not in config.statusline.hide]
        segments = _rendered([badge.render] * (number == 0) + renders, status, config, root)
        if config.statusline.ascii:
            line = fit([_in_ascii(segment) for segment in segments], limit, _part_in_ascii(SEPARATOR))
        else:
            line = fit(segments, limit)
        drawn.append(paint(line, config.statusline.theme, depth))
    return "\n".join(line for line in drawn if line)


def _rendered(renders: list[Render], status: Status, config: Config, root: str) -> list[Segment]:
    """What the segments say; one that fails is lost alone."""
    found = [boundary.attempt("statusline", root, render, status, config) for render in renders]
    return [segment for segment in found if segment is not None]


def _in_ascii(segment: Segment) -> Segment:
    return tuple(Form(form.importance, tuple(_part_in_ascii(part) for part in form.parts)) for form in segment)


def _part_in_ascii(part: Part) -> Part:
    return Part(to_ascii(part.text), part.role)


def _columns(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 6 and int(text) > 0 else DEFAULT_COLUMNS
