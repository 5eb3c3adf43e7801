"""What `tidegauge status` can do with a session: carry out a strategy, forget past messages, move a level."""

import argparse
import sys

from commands.command import USAGE, CommandError
from commands.config import change
from commands.environment.environment import Environment
from commands.session.target import SessionTarget
from monitor.memory.memory import LastPivot
from monitor.numbered_folder import OutsideProjectError
from monitor.pivot import state as states
from monitor.pivot.strategies import carry_out
from monitor.pivot.strategies.strategy import Context, Outcome
from shared.files import files
from shared.gauge.window import percent_text

_CRITICAL = "pivot.levels.critical"
_LONG = 24 << 20
"""Bytes of a transcript whose export keeps a person waiting."""


def pivot(environment: Environment, target: SessionTarget, name: str) -> Outcome:
    """Carry out the strategy called `name`, and note it in the session's state. Raises CommandError."""
    project = target.project
    if project is None:
        raise CommandError(f"the directory of session {target.conversation.session_id} is gone: {target.directory}")
    measurement = target.measurement()
    context = Context(target.conversation, target.session, project, measurement.reading if measurement else None)
    size = files.size(target.conversation.transcript)
    if name == "export" and size > _LONG and sys.stderr.isatty():
        print(f"Copying {size >> 20} MB, which takes a while ...", file=sys.stderr)
    try:
        outcome = carry_out(name, context)
    except OutsideProjectError as problem:
        raise CommandError(str(problem)) from None
    except FileNotFoundError:
        raise CommandError(f"session {target.conversation.session_id} has no transcript to {name}") from None
    paths = tuple(file.path for file in outcome.files)
    pivot_record = LastPivot(name, states.time(environment.now), "person", paths)
    states.record(environment.root, target.conversation.session_id, pivot_record)
    return outcome


def reset(environment: Environment, target: SessionTarget) -> str:
    """Have every threshold of a session announced again; returns a line for the person."""
    name = target.conversation.session_id
    state = states.read(environment.root, name)
    if state is None:
        return f"session {name}: no threshold was reached yet, so there is nothing to reset"
    states.reset(environment.root, name)
    levels = target.session.config.pivot.levels
    reached = [f"{percent_text(getattr(levels, threshold))}%" for threshold in state.thresholds_triggered]
    return f"session {name}: reset; thresholds reached so far: {', '.join(reached) or 'none'}"


def set_critical(environment: Environment, percent: int) -> int:
    """Write the level into the person's settings, as `tidegauge config set` does. Raises CommandError."""
    levels = environment.configuration.config.pivot.levels
    if not 1 <= percent <= 100 or not levels.alert < percent < levels.emergency:
        bounds = f"between {percent_text(levels.alert)} and {percent_text(levels.emergency)}"
        raise CommandError(f"--set-critical: expected a whole percentage {bounds}, not {percent}", USAGE)
    code = change.set_value(argparse.Namespace(key=_CRITICAL, value=str(percent), project=False), environment.root)
    print(f"Exports are recommended from {percent}% on, where the session ends at its limit.")
    return code
