"""A desktop notification for the person, when a level is reached at which the work should be looked after."""

from collections.abc import Mapping

import msgspec

from monitor import locked_file
from monitor.session import Conversation, Session
from monitor.warnings import reminders
from monitor.warnings.reminders import ReminderMemory
from shared import lenient, paths
from shared.levels import Level
from shared.plain import plain
from shared.transcript import Tail

_TITLE = "Claude Code"
_LONGEST = 60
_BY_NAME = ("rxvt", "foot")
"""Terminals that know OSC 777 and not OSC 9, as TERM begins; those built on VTE have a variable of their own."""


def due(conversation: Conversation, session: Session, level: Level, used: int, tail: Tail | None) -> str:
    """The sequence for the person's terminal; empty where none is due: once each time that a level is reached.

    `used` is in percent. The client passes it on in interactive sessions only. Raises OSError or TimeoutError.
    """
    if not session.config.hooks.desktop_notification or conversation.is_subagent:
        return ""
    path = paths.notified(session.root, conversation.session_id)
    seen = reminders.observed(level if level >= Level.CRITICAL else Level.NORMAL, tail)
    with locked_file.hold(path) as file:
        memory = lenient.decode_or(file.content, ReminderMemory, ReminderMemory())
        memory, is_due = reminders.step(memory, seen, None)
        file.content = msgspec.json.encode(memory)
    return sequence(level, used, session.project, session.environ) if is_due else ""


def sequence(level: Level, used: int, project: str, environ: Mapping[str, str]) -> str:
    """OSC 9, or OSC 777 for a terminal that knows only that, with the project's name."""
    name = plain(project.rstrip("/\\").replace("\\", "/").rpartition("/")[2], _LONGEST)
    text = f"Context window {level.name}: {used}% used" + (f", {name}" if name else "")
    if environ.get("VTE_VERSION") or environ.get("TERM", "").startswith(_BY_NAME):
        return f"\033]777;notify;{_TITLE};{text}\a"
    return f"\033]9;{_TITLE}: {text}\a"
