"""The page itself: one file with its styles, its scripts and the figures in it, and a policy that forbids a network."""

import base64
import hashlib
import os
import sys
from string import Template

import msgspec

from history.page.figures import Figures
from shared.text.plain import plain

MARK = b"<title>Tidegauge report</title>"
"""Marks a page as ours."""
_FOLDER = os.path.dirname(os.path.abspath(__file__))
_STYLES = ("vendored/uplot/uPlot.min.css", "page.css")
SCRIPTS = (
    "vendored/uplot/uPlot.iife.min.js", "vendored/d3-hierarchy/d3-hierarchy.min.js", "scripts/elements.js",
    "scripts/words.js", "scripts/chart.js", "scripts/bill.js", "scripts/occupancy.js", "scripts/treemap.js",
    "scripts/sections.js", "scripts/start.js",
)  # fmt: skip


def page(figures: Figures) -> bytes:
    """The HTML. Raises OSError when a part of the installation is missing."""
    style, script = _joined(_STYLES), _joined(SCRIPTS)
    policy = (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; base-uri 'none'; form-action 'none'"
    )
    # In JSON `<` occurs only within strings. Escaped, no name in there can end the element or begin another.
    document = plain(msgspec.json.encode(figures).decode(), sys.maxsize).replace("<", "\\u003c")
    template = Template(read("page.html"))
    return template.substitute(policy=policy, style=style, script=script, figures=document).encode()


def read(name: str) -> str:
    with open(os.path.join(_FOLDER, name), encoding="utf-8") as file:
        return file.read()


def _joined(names: tuple[str, ...]) -> str:
    return "\n".join(read(name) for name in names)


def _hash(text: str) -> str:
    """The policy's expression that allows this text and no other."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
