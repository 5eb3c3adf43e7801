"""`tidegauge status`: show where a session stands and what to do next, or do it."""

import argparse
import os
import sys
from contextlib import nullcontext

from commands.command import ALL_RIGHT, USAGE, CommandError, add_json, add_session
from commands.config import change
from commands.environment.environment import Environment, environment_here
from commands.session.target import SessionTarget, target_of
from commands.status import drawing
from commands.status.survey import survey
from commands.terminal import print_result, safe, width
from monitor.memory.memory import LastPivot
from monitor.numbered_folder import OutsideProjectError
from monitor.pivot import state as states
from monitor.pivot.strategies import STRATEGIES, carry_out
from monitor.pivot.strategies.strategy import Context, Outcome
from shared import effort
from shared.files import files
from shared.gauge.window import percent_text
from shared.settings import settings

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
_LONG = 24 << 20
"""Bytes of a transcript whose export keeps a person waiting."""


def arguments(parser: argparse.ArgumentParser) -> None:
    add_session(parser)
    add_json(parser)
    action = parser.add_mutually_exclusive_group()
    pivot_help = (
        "chunk: tasks for subagents; compress: instructions for /compact; "
        "export: save the session; spawn: a prompt for a new one"
    )
    action.add_argument("--pivot", choices=list(STRATEGIES), help=pivot_help)
    action.add_argument("--reset", action="store_true", help="announce every level again in this session")
    critical_help = "where critical begins, in percent used; written to your settings"
    action.add_argument("--set-critical", metavar="N", type=int, help=critical_help)


def run(options: argparse.Namespace, root: str) -> int:
    environment = environment_here(root)
    if options.set_critical is not None:
        return _set_critical(environment, options.set_critical)
    target = target_of(environment, options.session)
    if options.reset:
        print(safe(_reset(environment, target)))
    elif options.pivot:
        with nullcontext() if options.pivot == "export" else effort.limited():  # an export leaves nothing out
            outcome = _pivot(environment, target, options.pivot)
            _warn_of_omission()
        print_result(outcome, map(safe, outcome.text.splitlines()), as_json=options.json)
    else:
        with effort.limited():
            result = survey(environment, target)
            _warn_of_omission()
        print_result(result, drawing.lines(result, environment.now, width()), as_json=options.json)
    return ALL_RIGHT


def _pivot(environment: Environment, target: SessionTarget, name: str) -> Outcome:
    """Carry out the strategy called `name`, and note it in the session's state. Raises CommandError."""
    project = target.project
    if project is None:
        raise CommandError(f"the directory of session {target.conversation.session_id} is gone: {target.directory}")
    measurement = target.measurement()
    context = Context(target.conversation, target.session, project, measurement.verdict if measurement else None)
    size = files.size(target.conversation.transcript)
    if name == "export" and size > _LONG and sys.stderr.isatty():
        print(f"Copying {size >> 20} MB, which takes a while ...", file=sys.stderr)
    try:
        outcome = carry_out(name, context)
    except OutsideProjectError as problem:
        raise CommandError(str(problem)) from None
    except FileNotFoundError:
        raise CommandError(f"session {target.conversation.session_id} has no transcript to {name}") from None
    last = LastPivot(name, states.time(environment.now), "person", tuple(file.path for file in outcome.files))
    states.record(environment.root, target.conversation.session_id, last)
    return outcome


def _reset(environment: Environment, target: SessionTarget) -> str:
    """Let every threshold of a session be announced again, and return a line for the person."""
    name = target.conversation.session_id
    state = states.read(environment.root, name)
    if state is None:
        return f"session {name}: no threshold was reached yet, so there is nothing to reset"
    states.reset(environment.root, name)
    levels = target.session.config.pivot.levels
    reached = [f"{percent_text(getattr(levels, threshold))}%" for threshold in state.thresholds_triggered]
    return f"session {name}: reset; thresholds reached so far: {', '.join(reached) or 'none'}"


def _set_critical(environment: Environment, percent: int) -> int:
    """Write the level into the person's settings, as `tidegauge config set` does. Raises CommandError."""
    levels = environment.configuration.config.pivot.levels
    if not 1 <= percent <= 100 or not levels.alert < percent < levels.emergency:
        bounds = f"above {percent_text(levels.alert)} and below {percent_text(levels.emergency)}"
        raise CommandError(f"--set-critical: expected a whole percentage {bounds}, not {percent}", USAGE)
    setting = argparse.Namespace(key="pivot.levels.critical", value=str(percent), project=False)
    code = change.set_value(setting, environment.root)
    if settings.load(environment.root, os.environ, os.getcwd()).config.pivot.levels.critical == percent:
        print(f"Exports are recommended from {percent}% on, where automatic compaction is off.")
    return code


def _warn_of_omission() -> None:
    """Report on stderr what the result can't show: that time ran out before everything was read."""
    if effort.has_omission():
        problem = "this session takes too long to read: a part of it is left out"
        print(f"tidegauge: {problem}; run this again to read further", file=sys.stderr)
