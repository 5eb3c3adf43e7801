"""`tidegauge status`: where a session stands and what is best done, and doing it."""

import argparse
import os
import time

import msgspec

from monitor.commands.command import ALL_RIGHT
from monitor.commands.diagnosis import surroundings
from monitor.commands.overview import actions, drawing
from monitor.commands.overview.survey import subject_of, survey
from monitor.commands.terminal import safe
from monitor.pivot.strategies import STRATEGIES

SUMMARY = "show where a session stands, and save or hand over its work"

_EPILOG = (
    "Without --session: the session that runs this command, else the newest session of the project in this directory. "
    "Exit code: 0 success; 1 there is no such session, or a file cannot be read or written; "
    "2 the command line is not understood."
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = _EPILOG
    parser.add_argument("--session", metavar="ID", help="a session: its id, or enough of its beginning")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    action = parser.add_mutually_exclusive_group()
    action.add_argument(
        "--pivot",
        choices=list(STRATEGIES),
        help="chunk: tasks for subagents; compress: instructions for /compact; "
        "export: save the session; spawn: a prompt for a new one",
    )
    action.add_argument("--reset", action="store_true", help="announce every level again in this session")
    action.add_argument(
        "--set-critical", metavar="N", type=int, help="where critical begins, in percent used; written to your settings"
    )


def run(options: argparse.Namespace, root: str) -> int:
    place = surroundings.look(root, os.getcwd(), os.environ, time.time())
    if options.set_critical is not None:
        return actions.set_critical(place, options.set_critical, root)
    subject = subject_of(place, options.session)
    if options.reset:
        print(safe(actions.reset(place, subject)))
    elif options.pivot:
        outcome = actions.pivot(place, subject, options.pivot)
        if options.json:
            _print_json(outcome)
        else:
            print(*(safe(line) for line in outcome.text.splitlines()), sep="\n")
    elif options.json:
        _print_json(survey(place, subject))
    else:
        drawing.show(survey(place, subject), place.now)
    return ALL_RIGHT


def _print_json(document: object) -> None:
    print(msgspec.json.format(msgspec.json.encode(document)).decode())
