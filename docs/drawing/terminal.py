"""Text with a terminal's colours, drawn as SVG."""

import re
import unicodedata
from html import escape
from typing import NamedTuple

CELL, ROW, SIZE, MARGIN = 8.4, 22, 14, 14
"""Pixels: a column's width, a row's height, the letters' size, the space around."""
BACKGROUND, FOREGROUND = "#14181d", "#d3d7dd"
_SGR = re.compile(r"\x1b\[([0-9;]*)m")
_BLOCKS = {"█": 1.0, "░": 0.55}
"""Drawn as areas, since fonts leave gaps between them."""
_NAMED = {31: "#f0746e", 32: "#7cc38a", 33: "#e5b567"}
"""A terminal's red, green and yellow, which `tidegauge watch` names."""


class Look(NamedTuple):
    """How characters look from one escape code to the next."""

    color: str = FOREGROUND
    is_bold: bool = False
    is_dim: bool = False
    is_reverse: bool = False


def draw(text: str, title: str) -> str:
    """An SVG of `text`, one row per line. Raises ValueError for an escape code that it doesn't know."""
    return _framed([text], title, _shapes_of(text))


def animate(frames: list[str], title: str, seconds: list[float]) -> str:
    """An SVG that shows each of `frames` for its `seconds`, over and over; without motion it shows the last."""
    whole, begin, shapes = sum(seconds), 0.0, []
    rules = ["@media (prefers-reduced-motion:reduce){g{animation:none!important}.last{visibility:visible!important}}"]
    for number, (frame, duration) in enumerate(zip(frames, seconds, strict=True)):
        start, end = (f"{100 * edge / whole:g}%" for edge in (begin, begin + duration))
        shown = f"{start}{{visibility:visible}}" + ("" if end == "100%" else f"{end}{{visibility:hidden}}")
        hidden = "" if number == 0 else "0%{visibility:hidden}"
        rules.append(f"@keyframes f{number}{{{hidden}{shown}}}")
        rules.append(f".f{number}{{visibility:hidden;animation:f{number} {whole:g}s step-end infinite}}")
        name = f"f{number} last" if number == len(frames) - 1 else f"f{number}"
        shapes += [f'<g class="{name}">', *_shapes_of(frame), "</g>"]
        begin += duration
    return _framed(frames, title, [f"<style>{''.join(rules)}</style>", *shapes])


def _framed(texts: list[str], title: str, shapes: list[str]) -> str:
    """The whole SVG, as large as the largest of `texts`."""
    rows = [row for text in texts for row in _rows(text)]
    width = MARGIN * 2 + CELL * max(_columns(_SGR.sub("", row)) for row in rows)
    height = MARGIN * 2 + ROW * max(len(_rows(text)) for text in texts)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" role="img">'
    background = f'<rect width="{width:g}" height="{height:g}" rx="6" fill="{BACKGROUND}"/>'
    return "\n".join([head, f"<title>{escape(title)}</title>", background, *shapes, "</svg>", ""])


def _shapes_of(text: str) -> list[str]:
    return [shape for number, row in enumerate(_rows(text)) for shape in _row(row, MARGIN + ROW * number)]


def _rows(text: str) -> list[str]:
    return text.rstrip("\n").split("\n")


def _row(row: str, top: float) -> list[str]:
    shapes, look, left = [], Look(), float(MARGIN)
    for number, piece in enumerate(_SGR.split(row)):
        if number % 2:
            look = _changed(look, piece)
        else:
            for part in re.findall(r"█+|░+|[^█░]+", piece):
                width = CELL * _columns(part)
                shapes += _shapes(part, look, left, top, width)
                left += width
    return shapes


def _shapes(text: str, look: Look, left: float, top: float, width: float) -> list[str]:
    opacity = ' opacity="0.7"' if look.is_dim else ""
    if text[0] in _BLOCKS:
        opacity = f' opacity="{_BLOCKS[text[0]]:g}"' if _BLOCKS[text[0]] < 1 else ""
        return [_area(left, top + 4, width, ROW - 8, look.color) + f"{opacity}/>"]
    if not text.strip():
        return []
    color = BACKGROUND if look.is_reverse else look.color
    ground = [_area(left, top + 1, width, ROW - 2, look.color) + "/>"] if look.is_reverse else []
    weight = ' font-weight="bold"' if look.is_bold else ""
    place = f'x="{left:g}" y="{top + 16:g}" textLength="{width:g}" lengthAdjust="spacingAndGlyphs"'
    font = f'font-family="ui-monospace,Menlo,Consolas,DejaVu Sans Mono,monospace" font-size="{SIZE}"'
    return [
        *ground,
        f'<text {place} {font} xml:space="preserve" fill="{color}"{weight}{opacity}>{escape(text)}</text>',
    ]


def _area(left: float, top: float, width: float, height: float, color: str) -> str:
    return f'<rect x="{left:g}" y="{top:g}" width="{width:g}" height="{height:g}" fill="{color}"'


def _changed(look: Look, code: str) -> Look:
    """`look` after one escape code, of those that the status line (`color = "truecolor"`) and `watch` write."""
    numbers = [int(number) for number in code.split(";") if number]
    while numbers:
        match numbers:
            case [38, 2, red, green, blue, *rest]:
                look, numbers = look._replace(color=f"#{red:02x}{green:02x}{blue:02x}"), rest
            case [0, *rest]:
                look, numbers = Look(), rest
            case [1, *rest]:
                look, numbers = look._replace(is_bold=True), rest
            case [2, *rest]:
                look, numbers = look._replace(is_dim=True), rest
            case [31 | 32 | 33 as number, *rest]:
                look, numbers = look._replace(color=_NAMED[number]), rest
            case [7, *rest]:
                look, numbers = look._replace(is_reverse=True), rest
            case _:
                raise ValueError(f"an escape code that cannot be drawn: {code}")
    return look


def _columns(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)
