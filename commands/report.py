"""`tidegauge report`: one HTML page of what the history holds."""

import argparse
import os
import time
import webbrowser
from pathlib import Path

from commands.asking import add_since, store_problems
from commands.command import ALL_RIGHT, CommandError
from commands.terminal import safe
from history.page import document, figures
from history.store import store
from shared import paths
from shared.files import files
from shared.settings import settings

SUMMARY = "write a page of charts: what filled your windows, and what it cost"
EXAMPLES = (
    ("tidegauge report --open", "write the page, and show it in the browser"),
    ("tidegauge report --since 30d --output page.html", "the last 30 days, into a file of yours"),
)
FAILURE = "there is no history yet, or a file cannot be read or written"
NOTE = "The page opens offline and loads nothing. It has paths and names of tools, but no text of any conversation."
_LARGEST = 1 << 26
"""Bytes of the largest page that can be ours."""


def arguments(parser: argparse.ArgumentParser) -> None:
    add_since(parser)
    parser.add_argument("--output", metavar="FILE", help="where to write it (default: in the history's directory)")
    parser.add_argument("--open", action="store_true", help="open it in the browser")


def run(options: argparse.Namespace, root: str) -> int:
    path = _target(options.output or paths.report(root), is_chosen=bool(options.output))
    config = settings.own(root).config  # the page covers all projects, wherever it is requested
    with store_problems(root), store.for_reading(root) as opened:
        numbers = figures.collect(opened, options.since, config, time.time())
    files.write_atomic(path, document.page(numbers))
    print(safe(path))
    if options.open and not webbrowser.open(Path(path).as_uri()):
        raise CommandError(f"no browser could be started: open {path}")
    return ALL_RIGHT


def _target(path: str, *, is_chosen: bool) -> str:
    """Return the page's absolute path. Raises CommandError if it can't go there, or isn't a report of ours."""
    path = os.path.abspath(os.path.expanduser(path))
    if is_chosen and not os.path.isdir(os.path.dirname(path)):  # the default one is created
        raise CommandError(f"there is no directory {os.path.dirname(path)}: name a file in one that exists")
    if os.path.isdir(path):
        raise CommandError(f"{path} is a directory: name a file in it")
    if os.path.lexists(path) and document.MARK not in (files.read_or_none(path, _LARGEST) or b""):
        raise CommandError(f"{path} exists and isn't a Tidegauge report: name another file, or move it away")
    return path
