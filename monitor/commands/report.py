"""`tidegauge report`: one HTML page of what the history holds."""

import argparse
import os
import time
import webbrowser
from contextlib import closing
from pathlib import Path

from history import store
from history.page import document, figures
from monitor.commands.asking import add_since, store_problems
from monitor.commands.command import ALL_RIGHT, CommandError
from monitor.commands.terminal import safe
from shared import files, paths, settings

SUMMARY = "write a page of charts: what filled your windows, and what it cost"

_EPILOG = (
    "The page opens offline and loads nothing. It has paths and names of tools, but no text of any conversation. "
    "Exit code: 0 success; 1 there is no history yet, or a file cannot be read or written; "
    "2 the command line is not understood."
)
_LARGEST = 1 << 26
"""Bytes of a page that is taken for one of ours."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = _EPILOG
    add_since(parser)
    parser.add_argument("--output", metavar="FILE", help="where to write it (default: in the history's directory)")
    parser.add_argument("--open", action="store_true", help="open it in the browser")


def run(options: argparse.Namespace, root: str) -> int:
    path = _target(options.output or paths.report(root))
    rules = settings.load(root, os.environ, os.getcwd()).config.levels
    with store_problems(root), closing(store.for_reading(root)) as opened:
        found = figures.collect(opened, options.since or 0, rules, time.time())
    files.write_atomic(path, document.page(found))
    print(safe(path))
    if options.open and not webbrowser.open(Path(path).as_uri()):
        raise CommandError(f"no browser could be started: open {path}")
    return ALL_RIGHT


def _target(path: str) -> str:
    """Where the page goes, absolute; a file that somebody else wrote stays. Raises CommandError."""
    path = os.path.abspath(os.path.expanduser(path))
    if os.path.isdir(path):
        raise CommandError(f"{path} is a directory: name a file in it")
    if os.path.lexists(path) and document.MARK not in (files.read_or_none(path, _LARGEST) or b""):
        raise CommandError(f"{path} exists and isn't a Tidegauge report: name another file, or move it away")
    return path
