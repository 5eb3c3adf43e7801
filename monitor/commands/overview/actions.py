"""What `tidegauge status` can do with a session: carry a strategy out, forget what was told, move a level."""

import argparse
import sys
from datetime import UTC, datetime

from monitor.commands.command import USAGE, CommandError
from monitor.commands.configuration import change
from monitor.commands.diagnosis.surroundings import Surroundings
from monitor.commands.overview.survey import Subject, reading_of
from monitor.numbered_folder import OutsideProjectError
from monitor.pivot import state as states
from monitor.pivot.state import LastPivot
from monitor.pivot.strategies import carry_out
from monitor.pivot.strategies.strategy import Context, Outcome
from shared import files, settings
from shared.reading import percent_text

_CRITICAL = "pivot.levels.critical"
_LONG = 24 << 20
"""Bytes of a transcript whose export keeps a person waiting."""


def pivot(place: Surroundings, subject: Subject, name: str) -> Outcome:
    """Carry out the strategy called `name`, and note it in the session's state. Raises CommandError."""
    project = subject.project
    if project is None:
        raise CommandError(f"the directory of session {subject.conversation.session_id} is gone: {subject.directory}")
    context = Context(subject.conversation, subject.session, project, reading_of(subject))
    size = files.size(subject.conversation.transcript)
    if name == "export" and size > _LONG and sys.stderr.isatty():
        print(f"Copying {size >> 20} MB, which takes a while ...", file=sys.stderr)
    try:
        outcome = carry_out(name, context)
    except OutsideProjectError as problem:
        raise CommandError(str(problem)) from None
    except FileNotFoundError:
        raise CommandError(f"session {subject.conversation.session_id} has no transcript to {name}") from None
    now = datetime.fromtimestamp(place.now, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    done = LastPivot(name, now, "person", tuple(file.path for file in outcome.files))
    states.record(place.root, subject.conversation.session_id, done)
    return outcome


def reset(place: Surroundings, subject: Subject) -> str:
    """Have every level of a session told again; what was done is said in one line."""
    name = subject.conversation.session_id
    known = states.read(place.root, name)
    if known is None:
        return f"session {name}: no level was reached yet, so there is nothing to reset"
    states.reset(place.root, name)
    levels = ", ".join(known.thresholds_triggered) or "none"
    return f"session {name}: reset; levels reached so far: {levels}"


def set_critical(place: Surroundings, percent: int, root: str) -> int:
    """Write the level into the person's settings, as `tidegauge config set` does. Raises CommandError."""
    levels = settings.load(root, place.environ, place.directory).config.pivot.levels
    if not 1 <= percent <= 100 or not levels.alert < percent < levels.emergency:
        bounds = f"between alert ({percent_text(levels.alert)}) and emergency ({percent_text(levels.emergency)})"
        raise CommandError(f"--set-critical: expected a whole percentage {bounds}, not {percent}", USAGE)
    return change.set_value(argparse.Namespace(key=_CRITICAL, value=str(percent), project=False), root)
