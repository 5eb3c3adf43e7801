"""`tidegauge watch`: all running sessions on one screen, until you leave it. It changes nothing."""

import argparse
import importlib.util
import sys

from commands.command import ALL_RIGHT, CommandError
from commands.environment.environment import environment_here

SUMMARY = "show all running sessions on one live screen"
EXAMPLES = (
    ("tidegauge watch", "all running sessions; q quits"),
    ("tidegauge install --watch", "get the package that it needs"),
)
FAILURE = "there is no terminal, or the package is missing"


def arguments(parser: argparse.ArgumentParser) -> None:
    """The command has no options."""


def run(options: argparse.Namespace, root: str) -> int:  # noqa: ARG001  every command is called alike
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise CommandError("watch needs a terminal; `tidegauge status --json` is for scripts")
    if importlib.util.find_spec("textual") is None:
        raise CommandError("watch needs the package textual, which is not installed: tidegauge install --watch")
    from commands.watch.screen import WatchApp  # noqa: PLC0415  textual may not be there
    from commands.watch.watcher import Watcher  # noqa: PLC0415  psutil and textual, which only watch needs

    WatchApp(Watcher(environment_here(root)).look).run()
    return ALL_RIGHT
