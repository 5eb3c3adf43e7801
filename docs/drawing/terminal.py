"""Text with a terminal's colours, drawn as SVG."""

import re
from html import escape

from rich.ansi import AnsiDecoder
from rich.cells import cell_len
from rich.console import Console
from rich.style import Style
from rich.text import Text

CELL, ROW, SIZE, MARGIN = 8.4, 22, 14, 14
"""Pixels: a column's width, a row's height, the letters' size, the space around."""
BACKGROUND, FOREGROUND = "#14181d", "#d3d7dd"
_BLOCKS = {"█": 1.0, "░": 0.55}
"""Drawn as areas, since fonts leave gaps between them."""
_NAMED = {1: "#f0746e", 2: "#7cc38a", 3: "#e5b567"}
"""A terminal's red, green and yellow, which `tidegauge watch` names."""
_CONSOLE = Console()


def draw(text: str, title: str) -> str:
    """An SVG of `text`, one row per line. Raises ValueError for a colour that it doesn't know."""
    return _framed([text], title, _shapes_of(text))


def animate(frames: list[str], title: str, seconds: list[float]) -> str:
    """An SVG that shows each of `frames` for its `seconds`, repeatedly; with reduced motion, only the last."""
    whole, begin, shapes = sum(seconds), 0.0, []
    rules = ["@media (prefers-reduced-motion:reduce){g{animation:none!important}.last{visibility:visible!important}}"]
    for number, (frame, duration) in enumerate(zip(frames, seconds, strict=True)):
        start, end = (f"{100 * edge / whole:g}%" for edge in (begin, begin + duration))
        visible = f"{start}{{visibility:visible}}" + ("" if end == "100%" else f"{end}{{visibility:hidden}}")
        hidden = "" if number == 0 else "0%{visibility:hidden}"
        rules.append(f"@keyframes f{number}{{{hidden}{visible}}}")
        rules.append(f".f{number}{{visibility:hidden;animation:f{number} {whole:g}s step-end infinite}}")
        name = f"f{number} last" if number == len(frames) - 1 else f"f{number}"
        shapes += [f'<g class="{name}">', *_shapes_of(frame), "</g>"]
        begin += duration
    return _framed(frames, title, [f"<style>{''.join(rules)}</style>", *shapes])


def _framed(texts: list[str], title: str, shapes: list[str]) -> str:
    """The whole SVG, as large as the largest of `texts`."""
    width = MARGIN * 2 + CELL * max(row.cell_len for text in texts for row in _rows(text))
    height = MARGIN * 2 + ROW * max(len(_rows(text)) for text in texts)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" role="img">'
    background = f'<rect width="{width:g}" height="{height:g}" rx="6" fill="{BACKGROUND}"/>'
    return "\n".join([head, f"<title>{escape(title)}</title>", background, *shapes, "</svg>", ""])


def _shapes_of(text: str) -> list[str]:
    return [shape for number, row in enumerate(_rows(text)) for shape in _row(row, MARGIN + ROW * number)]


def _rows(text: str) -> list[Text]:
    return list(AnsiDecoder().decode(text.rstrip("\n")))


def _row(row: Text, top: float) -> list[str]:
    shapes, x = [], float(MARGIN)
    for piece, style, _ in row.render(_CONSOLE):
        for part in re.findall(r"█+|░+|[^█░]+", piece):
            width = CELL * cell_len(part)
            shapes += _shapes(part, style or Style(), x, top, width)
            x += width
    return shapes


def _shapes(text: str, style: Style, x: float, top: float, width: float) -> list[str]:
    ink = _ink(style)
    opacity = ' opacity="0.7"' if style.dim else ""
    if text[0] in _BLOCKS:
        opacity = f' opacity="{_BLOCKS[text[0]]:g}"' if _BLOCKS[text[0]] < 1 else ""
        return [_area(x, top + 4, width, ROW - 8, ink) + f"{opacity}/>"]
    if not text.strip():
        return []
    color = BACKGROUND if style.reverse else ink
    ground = [_area(x, top + 1, width, ROW - 2, ink) + "/>"] if style.reverse else []
    weight = ' font-weight="bold"' if style.bold else ""
    place = f'x="{x:g}" y="{top + 16:g}" textLength="{width:g}" lengthAdjust="spacingAndGlyphs"'
    font = f'font-family="ui-monospace,Menlo,Consolas,DejaVu Sans Mono,monospace" font-size="{SIZE}"'
    return [*ground, f'<text {place} {font} xml:space="preserve" fill="{color}"{weight}{opacity}>{escape(text)}</text>']


def _area(x: float, top: float, width: float, height: float, color: str) -> str:
    return f'<rect x="{x:g}" y="{top:g}" width="{width:g}" height="{height:g}" fill="{color}"'


def _ink(style: Style) -> str:
    if style.color is None:
        return FOREGROUND
    if style.color.triplet:
        return style.color.triplet.hex
    if style.color.number not in _NAMED:
        raise ValueError(f"a colour that cannot be drawn: {style.color.number}")
    return _NAMED[style.color.number]
