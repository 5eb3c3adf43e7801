"""`tidegauge status`: where a session stands and what is best done, and doing it."""

import argparse

from commands.command import ALL_RIGHT, add_json, add_session
from commands.environment.environment import environment_here
from commands.session.target import target_of
from commands.status import actions, drawing
from commands.status.survey import survey
from commands.terminal import print_result, safe, width
from monitor.pivot.strategies import STRATEGIES
from shared import effort

SUMMARY = "show where a session stands, and save or hand over its work"
EXAMPLES = (
    ("tidegauge status", "this project's newest session"),
    ("tidegauge status --session 5b0c --json", "one session, for a script"),
    ("tidegauge status --pivot export", "save the session's transcript and prompts"),
)
FAILURE = "there is no such session, or a file cannot be read or written"
NOTE = (
    "Without --session: the session that runs this command, else the newest session of the project in this directory."
)


def arguments(parser: argparse.ArgumentParser) -> None:
    add_session(parser)
    add_json(parser)
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
    environment = environment_here(root)
    if options.set_critical is not None:
        return actions.set_critical(environment, options.set_critical)
    target = target_of(environment, options.session)
    if options.reset:
        print(safe(actions.reset(environment, target)))
    elif options.pivot:
        outcome = actions.pivot(environment, target, options.pivot)
        print_result(outcome, map(safe, outcome.text.splitlines()), as_json=options.json)
    else:
        with effort.limited():
            result = survey(environment, target)
        print_result(result, drawing.lines(result, environment.now, width()), as_json=options.json)
    return ALL_RIGHT
