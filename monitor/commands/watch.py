"""`tidegauge watch`: all running sessions on one screen, until you leave it. It changes nothing."""

import argparse
import importlib.util
import os
import sys
import time

from monitor.commands.command import ALL_RIGHT, CommandError
from monitor.commands.diagnosis import surroundings

SUMMARY = "show all running sessions on one live screen"

_EPILOG = (
    "q quits. It needs a terminal, and the extra `watch`: tidegauge install --watch. "
    "Exit code: 0 success; 1 no terminal, or the extra is missing; 2 the command line is not understood."
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = _EPILOG


def run(options: argparse.Namespace, root: str) -> int:  # noqa: ARG001  every command is called alike
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise CommandError("watch needs a terminal; `tidegauge status --json` is for scripts")
    if importlib.util.find_spec("textual") is None:
        raise CommandError("watch needs the package textual, which is not installed: tidegauge install --watch")
    from monitor.commands.watching.screen import WatchApp  # noqa: PLC0415  textual may not be there
    from monitor.commands.watching.watcher import Watcher  # noqa: PLC0415  for whom watches

    place = surroundings.look(root, os.getcwd(), os.environ, time.time())
    WatchApp(Watcher(place).look).run()
    return ALL_RIGHT
